// Real: libvips, Tesseract and the engine. Each recognition takes about a second.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { PdfDrawing } from '@kiln/pdf/fixtures/draw-pdf';
import { scanOf } from '@kiln/ocr/fixtures/make-scan';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const [whole, damaged] = [true, false];
let scratch: Scratch;
let page: { width: number; height: number; pixels: Buffer };

beforeAll(async () => {
  scratch = await Scratch.make();
  const drawing = await PdfDrawing.start([300, 100]);
  drawing.paragraph(30, 30, 240, 'The kiln is heated slowly, because wet clay cracks.', { face: 'sans', size: 10 });
  const picture = sharp(await scanOf(await drawing.save()))
    .greyscale()
    .raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  page = { width: info.width, height: info.height, pixels: data };
});
afterAll(() => scratch.remove());

/** Grey pages that are all alike (TIFF 6.0, little-endian). One that is not whole states a width that no scanner has. */
function tiffOf(states: readonly boolean[]): Buffer {
  const { width, height, pixels } = page;
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0])];
  const entries = 9;
  const directoryBytes = 2 + entries * 12 + 4;
  for (const [index, isWhole] of states.entries()) {
    const at = 8 + index * (directoryBytes + pixels.length);
    const directory = Buffer.alloc(directoryBytes);
    directory.writeUInt16LE(entries, 0);
    const tags = [
      [256, isWhole ? width : 1_000_000],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, at + directoryBytes],
      [277, 1],
      [278, height],
      [279, pixels.length],
    ];
    for (const [entry, [tag = 0, value = 0]] of tags.entries()) {
      directory.writeUInt16LE(tag, 2 + entry * 12);
      directory.writeUInt16LE(4, 4 + entry * 12);
      directory.writeUInt32LE(1, 6 + entry * 12);
      directory.writeUInt32LE(value, 10 + entry * 12);
    }
    const isLast = index === states.length - 1;
    directory.writeUInt32LE(isLast ? 0 : at + directoryBytes + pixels.length, directoryBytes - 4);
    parts.push(directory, pixels);
  }
  return Buffer.concat(parts);
}

const read = (states: readonly boolean[], limits = defaultLimits): ReturnType<Scratch['run']> =>
  scratch.run(createLocalExtractor(limits, { languages: ['eng'] }), 'fax.tiff', 'image/tiff', tiffOf(states));

describe('a TIFF', () => {
  it('has the text of all its pages but those that are damaged, which are counted', async () => {
    const { markdown, pages, metadata } = await read([whole, damaged, whole]);
    const texts = pages?.map(({ start, end }) => markdown.slice(start, end)) ?? [];
    expect(texts).toStrictEqual([
      expect.stringMatching(/^The kiln is heated slowly/),
      '',
      expect.stringMatching(/^The kiln is heated slowly/),
    ]);
    expect(metadata).toMatchObject({ ocr_pages: 2, ocr_pages_left_out: 1 });
  });

  it('of more pages than are recognized is refused, instead of losing the rest', async () => {
    await expect(read([whole, whole, whole], { ...defaultLimits, ocrPagesMax: 2 })).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringMatching(/"fax\.tiff" has 3 pages; up to 2 are recognized here/),
    });
  });
});
