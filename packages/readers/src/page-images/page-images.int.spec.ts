import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument, degrees, rgb } from 'pdf-lib';
import sharp from 'sharp';
import { makeEncryptedPdf } from '@kiln/pdf/fixtures/make-pdf';
import { makeAnimation, makePicture } from '../fixtures/make-picture.js';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';
import { hasDrawnPages, isPng, PAGE_IMAGE_BYTES_MAX, PAGE_PIXELS_MAX } from './page-image.js';

const extractor = createLocalExtractor(defaultLimits);
const never = new AbortController().signal;
let scratch: Scratch;

async function draw(contentType: string, content: Buffer | string, page = 1, width = 1024) {
  return extractor.drawPage(await scratch.input('a', contentType, content), { page, width }, never);
}

async function sizeOf(png: Buffer | null): Promise<[number, number]> {
  const { format, width, height } = await sharp(png ?? '').metadata();
  expect(format).toBe('png');
  return [width, height];
}

/** Red, green and blue. */
async function pixel(png: Buffer | null, left: number, top: number): Promise<number[]> {
  const area = sharp(png ?? '').extract({ left, top, width: 1, height: 1 });
  return [...(await area.raw().toBuffer())];
}

/** The first page is white. On the others the upper half is red. */
async function pdfOf(...sizes: [width: number, height: number, turned?: number][]): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([100, 100]);
  for (const [width, height, turned = 0] of sizes) {
    const page = document.addPage([width, height]);
    page.drawRectangle({ x: 0, y: height / 2, width, height: height / 2, color: rgb(1, 0, 0) });
    page.setRotation(degrees(turned));
  }
  return Buffer.from(await document.save());
}

/** Red, green and blue pages of 30 × 20 pixels: a TIFF, little-endian, without compression (TIFF 6.0). */
function tiffOf(colors: readonly [number, number, number][]): Buffer {
  const [width, height] = [30, 20];
  const header = Buffer.from('49492a0008000000', 'hex');
  const bytesPerPage = 2 + 10 * 12 + 4 + 8 + width * height * 3;
  const pages = colors.map((color, index) => {
    const start = 8 + index * bytesPerPage;
    const bits = start + 2 + 10 * 12 + 4;
    const page = Buffer.alloc(bytesPerPage);
    const [SHORT, LONG] = [3, 4];
    const entries: [tag: number, type: number, count: number, value: number][] = [
      [256, LONG, 1, width],
      [257, LONG, 1, height],
      [258, SHORT, 3, bits],
      [259, SHORT, 1, 1],
      [262, SHORT, 1, 2],
      [273, LONG, 1, bits + 8],
      [277, SHORT, 1, 3],
      [278, LONG, 1, height],
      [279, LONG, 1, width * height * 3],
      [284, SHORT, 1, 1],
    ];
    page.writeUInt16LE(entries.length, 0);
    entries.forEach(([tag, type, count, value], at) => {
      page.writeUInt16LE(tag, 2 + at * 12);
      page.writeUInt16LE(type, 4 + at * 12);
      page.writeUInt32LE(count, 6 + at * 12);
      page.writeUInt32LE(value, 10 + at * 12);
    });
    const isLast = index === colors.length - 1;
    page.writeUInt32LE(isLast ? 0 : start + bytesPerPage, 2 + entries.length * 12);
    for (let sample = 0; sample < 3; sample++) page.writeUInt16LE(8, bits - start + sample * 2);
    for (let at = bits - start + 8; at < bytesPerPage; at += 3) page.set(color, at);
    return page;
  });
  return Buffer.concat([header, ...pages]);
}

describe('the image of a page', () => {
  beforeAll(async () => {
    scratch = await Scratch.make();
  });
  afterAll(() => scratch.remove());

  it('shows that page of a PDF at the given width, and states how many there are', async () => {
    const { pageCount, png } = await draw('application/pdf', await pdfOf([600, 800], [800, 600]), 2, 320);
    expect(pageCount).toBe(3);
    expect(await sizeOf(png)).toStrictEqual([320, 427]);
    expect(await pixel(png, 160, 40)).toStrictEqual([255, 0, 0]);
    expect(await pixel(png, 160, 400)).toStrictEqual([255, 255, 255]);
  });

  it('shows a rotated page as people see it', async () => {
    const { png } = await draw('application/pdf', await pdfOf([600, 800, 90]), 2, 640);
    expect(await sizeOf(png)).toStrictEqual([640, 480]);
    // The rotation moves the upper half to the right.
    expect(await pixel(png, 600, 240)).toStrictEqual([255, 0, 0]);
    expect(await pixel(png, 40, 240)).toStrictEqual([255, 255, 255]);
  });

  it('is missing where the document has fewer pages', async () => {
    expect(await draw('application/pdf', await pdfOf([600, 800]), 3)).toStrictEqual({ pageCount: 2, png: null });
    expect(await draw('image/png', await makePicture({ width: 9, height: 9 }), 2)).toStrictEqual({
      pageCount: 1,
      png: null,
    });
  });

  it('has a bounded number of pixels and bytes, whatever the form and content of the page', async () => {
    const tall = await draw('application/pdf', await pdfOf([10, 14_000]), 2, 2048);
    const [width, height] = await sizeOf(tall.png);
    expect(width * height).toBeLessThanOrEqual(PAGE_PIXELS_MAX * 1.01);
    const noise = await sharp({
      create: {
        width: 3000,
        height: 5000,
        channels: 3,
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
        background: 'red',
      },
    })
      .jpeg({ quality: 100 })
      .toBuffer();
    const { png } = await draw('image/jpeg', noise, 1, 2048);
    const size = await sizeOf(png);
    expect(size[0] * size[1]).toBeLessThanOrEqual(PAGE_PIXELS_MAX);
    expect(png?.length).toBeLessThanOrEqual(PAGE_IMAGE_BYTES_MAX);
  });

  it('of an image is the image, upright, on white, and no larger', async () => {
    const turned = await draw(
      'image/jpeg',
      await makePicture({ width: 800, height: 400, format: 'jpeg', orientation: 6 }),
      1,
      320,
    );
    expect(await sizeOf(turned.png)).toStrictEqual([320, 640]);
    const small = await draw('image/png', await makePicture({ width: 60, height: 40 }), 1, 2048);
    expect(await sizeOf(small.png)).toStrictEqual([60, 40]);
    const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#0000' } })
      .png()
      .toBuffer();
    expect(await pixel((await draw('image/png', clear)).png, 4, 4)).toStrictEqual([255, 255, 255]);
  });

  it('of a TIFF is one of its pages, and of an animation its first frame', async () => {
    const tiff = tiffOf([
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
    ]);
    const { pageCount, png } = await draw('image/tiff', tiff, 2);
    expect(pageCount).toBe(3);
    expect(await pixel(png, 15, 10)).toStrictEqual([0, 255, 0]);
    const animation = await draw('image/gif', await makeAnimation(40, 30, 'gif'));
    expect([animation.pageCount, await sizeOf(animation.png)]).toStrictEqual([1, [40, 30]]);
    expect(await pixel(animation.png, 20, 15)).toStrictEqual([255, 0, 0]);
  });

  it.each([docxType, 'text/plain', 'image/heic', 'image/bmp'])('is not drawn for %s', async (contentType) => {
    expect(hasDrawnPages(contentType)).toBe(false);
    await expect(draw(contentType, 'x')).rejects.toMatchObject({ code: 'unsupported_type' });
  });

  it('fails with a reason for a damaged or protected file', async () => {
    await expect(draw('application/pdf', 'no pdf')).rejects.toMatchObject({ code: 'corrupt_file' });
    await expect(draw('image/png', 'no image')).rejects.toMatchObject({ code: 'corrupt_file' });
    await expect(draw('application/pdf', makeEncryptedPdf())).rejects.toMatchObject({ code: 'encrypted_file' });
    // The reader can draw the next page.
    expect(isPng((await draw('application/pdf', await pdfOf())).png ?? Buffer.alloc(0))).toBe(true);
  });
});
