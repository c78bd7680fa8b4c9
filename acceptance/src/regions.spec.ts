// Where text stands on the pages of a PDF: in results of searches, in chunks, and in the citations of answers.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { bodyOf, type KilnClient } from './support/kiln-client.js';
import type { Region } from './support/region.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const [WIDTH, HEIGHT, SIZE, LEFT, PITCH] = [595, 842, 11, 70, 14];
const TOP = 120;
/** The second page. The middle sentence begins in the first line and ends in the third. */
const LINES = [
  'Clay is dried for a week. The quaggadome kiln is then',
  'heated to 1,200 degrees, which takes nine hours and a',
  'wagon of wood. Glaze is applied by hand after that.',
];
const SENTENCE = 'The quaggadome kiln is then heated to 1,200 degrees, which takes nine hours and a wagon of wood.';

/** A PDF, and the boxes of the sentence's letters in shares of the page. */
async function draw(): Promise<{ pdf: Uint8Array; letters: Omit<Region, 'page'>[] }> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  document.addPage([WIDTH, HEIGHT]).drawText('A report on kilns', { x: LEFT, y: 700, size: 20, font });
  const page = document.addPage([WIDTH, HEIGHT]);
  for (const [at, line] of LINES.entries()) {
    page.drawText(line, { x: LEFT, y: HEIGHT - TOP - at * PITCH, size: SIZE, font });
  }
  const begin = LINES[0]?.indexOf('The') ?? 0;
  const end = (LINES[2]?.indexOf('wood.') ?? 0) + 5;
  const letters = LINES.flatMap((line, at) =>
    Array.from(line, (letter, position) => {
      const x = LEFT + font.widthOfTextAtSize(line.slice(0, position), SIZE);
      const isInside = (at > 0 || position >= begin) && (at < 2 || position < end) && letter !== ' ';
      const box = { x: x / WIDTH, y: (TOP + at * PITCH - SIZE * 0.66) / HEIGHT, height: (SIZE * 0.66) / HEIGHT };
      return { isInside, ...box, width: font.widthOfTextAtSize(letter, SIZE) / WIDTH };
    }),
  );
  return { pdf: await document.save(), letters: letters.filter(({ isInside }) => isInside) };
}

const contains = ({ x, y, width, height }: Region, letter: Omit<Region, 'page'>) =>
  letter.x >= x - 0.001 &&
  letter.x + letter.width <= x + width + 0.001 &&
  letter.y >= y &&
  letter.y + letter.height <= y + height;
const areaOf = (boxes: readonly Omit<Region, 'page'>[]) =>
  boxes.reduce((sum, { width, height }) => sum + width * height, 0);

describe('the regions of a PDF', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  let fileId: string;
  let letters: Omit<Region, 'page'>[];
  const space = `regions-${randomUUID()}`;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
    const drawn = await draw();
    letters = drawn.letters;
    const { id, job_id: jobId } = bodyOf(await client.upload('kilns.pdf', drawn.pdf, { space }), 201);
    expect((await client.waitForJob(jobId)).status).toBe('completed');
    fileId = id;
  });
  afterAll(() => system.stop());

  it('of a citation are those of the sentence that it quotes', async () => {
    const { citations } = bodyOf(
      await client.post<{ citations: { quote: { text: string; page: number; regions: Region[] } }[] }>('/v1/qa', {
        question: 'To how many degrees is the quaggadome kiln heated?',
        space,
      }),
      200,
    );
    const [{ quote } = {}] = citations;
    expect([quote?.text, quote?.page]).toStrictEqual([SENTENCE, 2]);
    const regions = quote?.regions ?? [];
    expect(regions.every(({ page }) => page === 2)).toBe(true);
    const inside = letters.filter((letter) => regions.some((region) => contains(region, letter)));
    expect(inside.length / letters.length).toBeGreaterThanOrEqual(0.98);
    // A line of text is taller than its letters: its box has room above and below them.
    const lineHeight = (SIZE * 1.2) / HEIGHT;
    const tight = areaOf(letters.map((letter) => ({ ...letter, height: lineHeight })));
    expect(areaOf(regions) / tight).toBeLessThanOrEqual(1.5);
  });

  it('of a search result and of a chunk are those of the chunk, on all of its pages', async () => {
    const { results } = bodyOf(
      await client.post<{ results: { regions: Region[] }[] }>('/v1/search', { query: 'quaggadome', space }),
      200,
    );
    const regions = results[0]?.regions ?? [];
    expect(regions.map(({ page }) => page)).toStrictEqual([1, 2]);
    expect(letters.every((letter) => regions.some((region) => contains(region, letter)))).toBe(true);
    const { chunks } = (await client.get<{ chunks: { regions: Region[] }[] }>(`/v1/files/${fileId}/chunks`)).body;
    expect(chunks[0]?.regions).toStrictEqual(regions);
  });

  it('of its blocks and lines are in the variant layout, on request', async () => {
    const variants = JSON.stringify(['markdown', 'layout']);
    const pdf = (await draw()).pdf;
    const { id, job_id: jobId } = bodyOf(await client.upload('again.pdf', pdf, { space, variants }), 201);
    expect((await client.waitForJob(jobId)).status).toBe('completed');
    const { content } = (await client.get<{ content: string }>(`/v1/files/${id}/variants/layout`)).body;
    const { pages } = JSON.parse(content) as {
      pages: { page: number; width: number; blocks: { kind: string; start: number; end: number; lines: object[] }[] }[];
    };
    const markdown = await client.markdown(id);
    expect(pages.map(({ page, width }) => [page, width])).toStrictEqual([
      [1, WIDTH],
      [2, WIDTH],
    ]);
    const [block] = pages[1]?.blocks ?? [];
    expect([block?.kind, block?.lines.length]).toStrictEqual(['paragraph', LINES.length]);
    expect(markdown.slice(block?.start, block?.end)).toBe(LINES.join(' '));
  });

  it('are none for a text, which has no pages', async () => {
    const { job_id: jobId } = bodyOf(await client.upload('notes.txt', 'The zorbaxil oven is cold.', { space }), 201);
    expect((await client.waitForJob(jobId)).status).toBe('completed');
    const { results } = bodyOf(
      await client.post<{ results: { regions: Region[] }[] }>('/v1/search', { query: 'zorbaxil', space }),
      200,
    );
    expect(results[0]?.regions).toStrictEqual([]);
  });
});
