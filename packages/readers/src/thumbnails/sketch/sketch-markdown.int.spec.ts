import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { pdfThumbnail } from '../pdf-thumbnail.js';
import { sketchMarkdown } from './sketch-markdown.js';

/** The share of the picture, or of a part of it, that is not white. */
async function inkOf(markdown: string, part: 'upper' | 'lower' | 'all' = 'all'): Promise<number> {
  const image = await pdfThumbnail(sketchMarkdown(markdown, 'page'), 'a');
  const { width, height } = await sharp(image ?? '').metadata();
  const half = Math.floor(height / 2);
  const area = { left: 0, top: part === 'lower' ? half : 0, width, height: part === 'all' ? height : half };
  const bytes = await sharp(image ?? '')
    .extract(area)
    .greyscale()
    .raw()
    .toBuffer();
  return bytes.filter((value) => value < 230).length / bytes.length;
}

describe('a sketch', () => {
  it('draws headings larger than text, and bars for letters that the font lacks', async () => {
    const [none, text, heading, chinese] = await Promise.all(
      ['', 'kiln', '# kiln', '\u7a91\u7a91\u7a91\u7a91'].map((markdown) => inkOf(markdown)),
    );
    expect(none).toBe(0);
    expect(text).toBeGreaterThan(0);
    expect(heading).toBeGreaterThan(2 * (text ?? 0));
    expect(chinese).toBeGreaterThan(0);
  });

  it('wraps long texts, with and without spaces, and ends where the page ends', async () => {
    const short = 'clay '.repeat(20);
    expect(await inkOf(short, 'lower')).toBe(0);
    for (const long of ['clay '.repeat(390), 'c'.repeat(1_990), '\u7a91'.repeat(1_990)].map((line) =>
      `${line}\n\n`.repeat(9),
    ))
      expect(await inkOf(long, 'lower')).toBeGreaterThan(0.01);
  });

  it('draws tables as grids, and shortens what does not fit into a cell', async () => {
    const row = `| ${'x'.repeat(300)} | y |`;
    expect(await inkOf([row, '| --- | --- |', ...Array.from({ length: 500 }, () => row)].join('\n'))).toBeGreaterThan(
      0.02,
    );
    expect(await inkOf('| a | b |')).toBeGreaterThan(0);
  });

  it('reads any text, and no command of PDF from it', async () => {
    const texts = [
      '|'.repeat(1_000_000),
      '| --- |\n'.repeat(50_000),
      `${'-'.repeat(3_000)}\n`.repeat(300),
      '\ud800)\\ Tj ET Q',
    ];
    for (const text of texts) {
      const pdf = sketchMarkdown(text, 'sheet');
      expect(pdf.toString('latin1').match(/Tj/g)?.length ?? 0).toBe(
        pdf.toString('latin1').match(/> Tj ET/g)?.length ?? 0,
      );
      expect(await pdfThumbnail(pdf, 'a')).not.toBeNull();
    }
  });
});
