import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument, degrees, rgb } from 'pdf-lib';
import sharp from 'sharp';
import { createLocalExtractor } from '../local-extractor.js';
import { makeDocx, paragraph } from '../fixtures/make-docx.js';
import { epubType, makeEpub } from '../fixtures/make-epub.js';
import { makeEncryptedPdf } from '@kiln/pdf/fixtures/make-pdf';
import { makeAnimation, makePicture } from '../fixtures/make-picture.js';
import { oneOfEach } from '../fixtures/one-of-each.js';
import { makeZip } from '../fixtures/make-zip.js';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { isWebp, mayHaveThumbnail, THUMBNAIL_BYTES_AIM } from './thumbnail.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

async function thumbnail(contentType: string, content: Buffer | string): Promise<Buffer | null> {
  const input = await scratch.input('a', contentType, content);
  return extractor.makeThumbnail(input, new AbortController().signal);
}

async function sizeOf(contentType: string, content: Buffer | string): Promise<[number, number] | null> {
  const image = await thumbnail(contentType, content);
  if (image === null) return null;
  expect(isWebp(image)).toBe(true);
  const { width, height } = await sharp(image).metadata();
  return [width, height];
}

/** Red, green, blue and, if the picture has it, alpha. */
async function pixel(image: Buffer | null, left: number, top: number): Promise<number[]> {
  const area = sharp(image ?? Buffer.alloc(0)).extract({ left, top, width: 1, height: 1 });
  return [...(await area.raw().toBuffer())];
}

const nearly = (...channels: number[]) => channels.map((value) => expect.closeTo(value, -1.5));

async function pdfOf(width: number, height: number, turned = 0): Promise<Buffer> {
  const document = await PDFDocument.create();
  const page = document.addPage([width, height]);
  page.drawRectangle({ x: 0, y: height / 2, width, height: height / 2, color: rgb(1, 0, 0) });
  page.setRotation(degrees(turned));
  document.addPage([100, 100]);
  return Buffer.from(await document.save());
}

describe('a thumbnail', () => {
  beforeAll(async () => {
    scratch = await Scratch.make();
  });
  afterAll(() => scratch.remove());

  for (const format of ['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif'] as const)
    it(`of a ${format} image is the image, with 512 pixels on its longest side`, async () => {
      const image = await thumbnail(`image/${format}`, await makePicture({ width: 1024, height: 600, format }));
      const { width, height } = await sharp(image ?? '').metadata();
      expect([width, height]).toStrictEqual([512, 300]);
      expect(await pixel(image, 256, 20)).toStrictEqual(nearly(254, 0, 0));
      expect(await pixel(image, 256, 280)).toStrictEqual(nearly(0, 0, 254));
    });

  it('is upright, as the orientation of the image says, and names neither that nor anything else of it', async () => {
    for (const format of ['jpeg', 'png'] as const) {
      const content = await makePicture({ width: 1024, height: 600, format, orientation: 6 });
      const image = await thumbnail(`image/${format}`, content);
      const { width, height, orientation, exif, xmp } = await sharp(image ?? '').metadata();
      expect([width, height, orientation, exif, xmp]).toStrictEqual([300, 512, undefined, undefined, undefined]);
      // The rotation moves the upper edge to the right.
      expect(await pixel(image, 290, 256)).toStrictEqual(nearly(254, 0, 0));
    }
  });

  it('of a smaller image has the size of the image; a drawing is drawn at 512 pixels', async () => {
    expect(await sizeOf('image/png', await makePicture({ width: 60, height: 40 }))).toStrictEqual([60, 40]);
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"><rect width="9" height="9"/></svg>';
    expect(await sizeOf('image/svg+xml', drawing)).toStrictEqual([512, 256]);
  });

  it('of an animation is its first frame', async () => {
    for (const format of ['gif', 'webp'] as const) {
      const image = await thumbnail(`image/${format}`, await makeAnimation(800, 400, format));
      const { width, height, pages = 1 } = await sharp(image ?? '').metadata();
      expect([width, height, pages]).toStrictEqual([512, 256, 1]);
      expect(await pixel(image, 9, 9)).toStrictEqual(nearly(254, 0, 0));
    }
  });

  it('has colours for screens, whatever the image has, and keeps what is transparent', async () => {
    const red = sharp({ create: { width: 600, height: 600, channels: 3, background: 'red' } });
    const inked = await red.clone().toColourspace('cmyk').jpeg().toBuffer();
    const deep = await red.clone().toColourspace('rgb16').png().toBuffer();
    for (const [type, content] of [
      ['image/jpeg', inked],
      ['image/png', deep],
    ] as const) {
      const { space, depth, channels } = await sharp((await thumbnail(type, content)) ?? '').metadata();
      expect([space, depth, channels]).toStrictEqual(['srgb', 'uchar', 3]);
    }
    const clear = { create: { width: 600, height: 600, channels: 4 as const, background: '#00ff0000' } };
    const image = await thumbnail('image/png', await sharp(clear).png().toBuffer());
    expect((await pixel(image, 9, 9)).at(-1)).toBe(0);
  });

  it('of an image that is a line is a line', async () => {
    expect(await sizeOf('image/png', await makePicture({ width: 1, height: 100_000 }))).toStrictEqual([1, 512]);
    expect(await sizeOf('image/png', await makePicture({ width: 100_000, height: 1 }))).toStrictEqual([512, 1]);
  });

  it('stays small for an image of noise', async () => {
    const raw = { width: 600, height: 600, channels: 3 } as const;
    const noise = await sharp(randomBytes(600 * 600 * 3), { raw })
      .png()
      .toBuffer();
    expect((await thumbnail('image/png', noise))?.length ?? Infinity).toBeLessThanOrEqual(THUMBNAIL_BYTES_AIM);
  });

  it('of a damaged or cut off image is an error, and so is one of too many pixels', async () => {
    const png = await makePicture({ width: 800, height: 800 });
    for (const content of [png.subarray(0, png.length / 2), Buffer.alloc(0)])
      await expect(thumbnail('image/png', content)).rejects.toMatchObject({ code: 'corrupt_file', retryable: false });
    const huge = '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"/>';
    await expect(thumbnail('image/svg+xml', huge)).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('is made of the formats of pictures only, whatever else libvips reads and whatever other code has permitted', async () => {
    const raw = join(scratch.path, 'a.v');
    await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } }).toFile(raw);
    const content = await readFile(raw);
    await expect(thumbnail('image/png', content)).rejects.toMatchObject({ code: 'corrupt_file' });
    sharp.block({ operation: ['VipsForeignLoad'] });
    expect(await sizeOf('image/png', await makePicture({ width: 9, height: 9 }))).toStrictEqual([9, 9]);
  });

  it('of a drawing contains no other file', async () => {
    const other = await scratch.input('b', 'image/png', await makePicture({ width: 9, height: 9 }));
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image href="file://${other.path}" width="64" height="64"/></svg>`;
    expect(await pixel(await thumbnail('image/svg+xml', drawing), 9, 9)).toStrictEqual([0, 0, 0, 0]);
  });

  it('of a PDF is its first page, on white, turned as the page says', async () => {
    const upright = await thumbnail('application/pdf', await pdfOf(600, 1200));
    expect(await sizeOf('application/pdf', await pdfOf(600, 1200))).toStrictEqual([256, 512]);
    expect(await pixel(upright, 128, 100)).toStrictEqual(nearly(254, 0, 0));
    expect(await pixel(upright, 128, 400)).toStrictEqual(nearly(254, 254, 254));
    const turned = await thumbnail('application/pdf', await pdfOf(600, 1200, 90));
    const { width, height } = await sharp(turned ?? '').metadata();
    expect([width, height]).toStrictEqual([512, 256]);
    expect(await pixel(turned, 480, 128)).toStrictEqual(nearly(254, 0, 0));
  });

  it('of a PDF that is a line, or a poster, has at most 512 pixels a side', async () => {
    expect(await sizeOf('application/pdf', await pdfOf(2, 14_000))).toStrictEqual([1, 512]);
    expect(await sizeOf('application/pdf', await pdfOf(14_000, 14_000))).toStrictEqual([512, 512]);
  });

  it('of a protected or damaged PDF is an error', async () => {
    await expect(thumbnail('application/pdf', makeEncryptedPdf())).rejects.toMatchObject({ code: 'encrypted_file' });
    await expect(thumbnail('application/pdf', 'words')).rejects.toMatchObject({ code: 'corrupt_file' });
  });

  it('of an Office file is the preview that its program has saved, if it is a picture', async () => {
    const office = (target: string, preview: Buffer) =>
      makeZip({
        '_rels/.rels': Buffer.from(
          `<Relationships><Relationship Id="r" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail" Target="${target}"/></Relationships>`,
        ),
        [target]: preview,
      });
    const preview = await makePicture({ width: 256, height: 144, format: 'jpeg' });
    expect(await sizeOf(docxType, office('docProps/thumbnail.jpeg', preview))).toStrictEqual([256, 144]);
  });

  it('is missing if the preview of an Office file is blank, damaged or no picture', async () => {
    const preview = await makePicture({ width: 256, height: 144, format: 'jpeg' });
    const white = { create: { width: 256, height: 192, channels: 3 as const, background: 'white' } };
    const blank = await sharp(white).jpeg().toBuffer();
    for (const other of [blank, preview.subarray(0, 200), Buffer.from('EMF'), Buffer.alloc(0)]) {
      const relationship = (type: string, target: string) =>
        `<Relationship Id="${type}" Type="http://schemas.openxmlformats.org/x/${type}" Target="${target}"/>`;
      const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationship('thumbnail', 'a.emf')}${relationship('officeDocument', 'word/document.xml')}</Relationships>`;
      const docx = makeDocx(paragraph('clay'), { '_rels/.rels': Buffer.from(rels), 'a.emf': other });
      expect(await thumbnail(docxType, docx)).toBeNull();
    }
  });

  it('of an OpenDocument file is its preview, and of a book its cover', async () => {
    const cover = await makePicture({ width: 300, height: 400 });
    const odt = makeZip({ 'Thumbnails/thumbnail.png': cover });
    expect(await sizeOf('application/vnd.oasis.opendocument.text', odt)).toStrictEqual([300, 400]);
    for (const [metadata, properties] of [
      ['<meta name="cover" content="front"/>', ''],
      ['', ' properties="cover-image"'],
    ]) {
      const book = `<package><metadata>${metadata}</metadata><manifest><item id="front" href="a%20b.png" media-type="image/png"${properties}/></manifest><spine/></package>`;
      const epub = makeEpub([], { 'OEBPS/book.opf': book, 'OEBPS/a b.png': cover });
      expect(await sizeOf(epubType, epub)).toStrictEqual([300, 400]);
    }
  });

  it('of a recording is the cover in its tags', async () => {
    const cover = await makePicture({ width: 300, height: 300, format: 'jpeg' });
    const body = Buffer.concat([Buffer.from('\0image/jpeg\0\u0003\0', 'latin1'), cover]);
    const head = (id: string, bytes: number, rest: number[]) => {
      const size = [21, 14, 7, 0].map((bit) => (bytes >> bit) & 127);
      return Buffer.concat([Buffer.from(id), Buffer.from([...size, ...rest])]);
    };
    const frame = Buffer.concat([head('APIC', body.length, [0, 0]), body]);
    const sound = Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)]);
    const tags = [Buffer.from('ID3'), Buffer.from([4, 0, 0]), head('', frame.length, []), frame];
    const mp3 = Buffer.concat([...tags, sound, sound, sound]);
    expect(await sizeOf('audio/mpeg', mp3)).toStrictEqual([300, 300]);
  });

  it('is missing, without an error, for documents that have no picture of themselves', async () => {
    const without = oneOfEach.filter(({ filename }) =>
      /\.(?:docx|xlsx|pptx|odt|ods|odp|eml|msg|epub|ipynb|wav)$/.test(filename),
    );
    expect(without).toHaveLength(11);
    for (const { contentType, content } of without) expect(await thumbnail(contentType, content)).toBeNull();
    for (const type of ['text/plain', 'text/csv', 'application/rtf', 'text/html', 'message/rfc822', 'video/mp4'])
      expect(mayHaveThumbnail(type)).toBe(false);
    expect(await thumbnail('image/bmp', Buffer.from('BM'.padEnd(80, '\0')))).toBeNull();
  });
});
