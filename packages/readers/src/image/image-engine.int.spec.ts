import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeJpeg, makePng } from '../fixtures/make-media.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = (filename: string, type: string, content: Buffer): ReturnType<Scratch['run']> =>
  scratch.run(extractor, filename, type, content);

describe('an image', () => {
  it('has its size, and says that no text was found', async () => {
    const { markdown, metadata, pageCount, pages } = await read('scan_1.png', 'image/png', makePng(40, 30));
    expect(markdown).toBe('scan_1.png: PNG image, 40 × 30 pixels.\n\n*No text was found in this image.*\n');
    expect(metadata).toStrictEqual({
      format: 'png',
      width: 40,
      height: 30,
      title: 'scan_1.png',
      author: null,
      page_count: null,
      language: null,
      word_count: 0,
    });
    expect([pageCount, pages]).toStrictEqual([null, null]);
  });

  it('has what its camera and its author wrote, but not where it was taken', async () => {
    const place = { 1: 'N', 2: { degrees: [48, 8, 14] }, 3: 'E', 4: { degrees: [11, 34, 31] } };
    const content = makeJpeg(4000, 3000, {
      0x010e: 'A <b>blue</b> kiln',
      0x010f: 'Kiln Works',
      0x0110: 'K1',
      0x013b: 'Ada',
      0x8298: 'CC BY',
      0x8769: { offsetOf: { 0x9003: '2022:12:31 18:00:05' } },
      0x8825: { offsetOf: place },
    });
    const { markdown, metadata } = await read('a.jpg', 'image/jpeg', content);
    expect(markdown).toContain('*The text in this image was not read: its picture is damaged.*');
    expect(markdown).toMatch(/^a\.jpg: JPEG image, 4000 × 3000 pixels\.\n\nA \\<b>blue\\<\/b> kiln\n\n/);
    expect(metadata).toMatchObject({
      width: 4000,
      camera_make: 'Kiln Works',
      camera_model: 'K1',
      copyright: 'CC BY',
      author: 'Ada',
      description: 'A <b>blue</b> kiln',
      taken_at: '2022-12-31T18:00:05',
    });
    expect(JSON.stringify(metadata)).not.toMatch(/gps|latitude|longitude|48|\bN\b/i);
  });

  it('may be a drawing, whose size is that of its view', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"><rect width="9" height="9"/></svg>';
    const { metadata } = await read('a.svg', 'image/svg+xml', Buffer.from(svg));
    expect(metadata).toMatchObject({ format: 'svg', width: 24, height: 12, title: 'a.svg' });
  });

  it.each([
    ['of more pixels than fit into memory', 20_000, 20_000],
    ['of millions of rows', 4, 6_815_747],
  ])('%s is refused', async (_case, width, height) => {
    const content = makePng(4, 4);
    // The header claims this size.
    content.writeUInt32BE(width, 16);
    content.writeUInt32BE(height, 20);
    await expect(read('a.png', 'image/png', content)).rejects.toMatchObject({
      code: 'file_too_large',
      message: `"a.png" has ${width} × ${height} pixels; images are read up to 100 million pixels, and 65535 pixels a side. Make it smaller, or split it.`,
    });
  });

  it('of a format that is not decoded has its properties, and says so', async () => {
    const header = Buffer.alloc(54);
    header.write('BM');
    header.writeUInt32LE(40, 14);
    header.writeInt32LE(7, 18);
    header.writeInt32LE(5, 22);
    const { markdown } = await read('a.bmp', 'image/bmp', header);
    expect(markdown).toBe(
      'a.bmp: BMP image, 7 × 5 pixels.\n\n*The text in this image was not read: that needs an image engine.*\n',
    );
  });

  it('that is damaged, cut off or empty is corrupt', async () => {
    for (const content of [Buffer.alloc(0), makePng(4, 4).subarray(0, 12), Buffer.from('words')])
      await expect(read('a.png', 'image/png', content)).rejects.toMatchObject({
        code: 'corrupt_file',
        retryable: false,
      });
  });
});
