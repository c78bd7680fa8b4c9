// Makes docs/citations.md: questions to a document, their answers, and pictures of its pages with the quoted sentences marked. Starts a whole
// Kiln without a chat model. `npm run docs:citations`
import type { Region } from '@kiln/contracts';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { loadSharp } from '@kiln/ocr/load-sharp';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { storeFiles } from '../stored-files.js';
import { drawContract } from './draw-contract.js';

const QUESTIONS = [
  'How must notice of termination be given?',
  'By how much may the landlord raise the rent?',
  'Up to how many degrees may the kiln be fired?',
];
const PAGE_WIDTH = 1024;
/** The share of the page that is shown above and below the marks. */
const MARGIN = 0.1;
const docs = (name: string) => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));

interface Answer {
  answer: string;
  citations: { citation: number; quote: { text: string; page: number; regions: Region[] } }[];
}

async function ask({ baseUrl, apiKey }: RunningSystem, question: string): Promise<Answer> {
  const response = await fetch(`${baseUrl}/v1/qa`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question }),
  });
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as Answer;
}

/** A PNG of the part of a page that has the regions, marked. */
async function picture(
  { baseUrl, apiKey }: RunningSystem,
  fileId: string,
  page: number,
  regions: readonly Region[],
): Promise<Buffer> {
  const response = await fetch(`${baseUrl}/v1/files/${fileId}/pages/${page}.png?width=${PAGE_WIDTH}`, {
    headers: { authorization: `ApiKey ${apiKey}` },
  });
  if (response.status !== 200) throw new Error(await response.text());
  const sharp = await loadSharp();
  const drawn = sharp(Buffer.from(await response.arrayBuffer()));
  const { width, height } = await drawn.metadata();
  const marks = regions.map(
    ({ x, y, width: w, height: h }) =>
      `<rect x="${x * width}" y="${y * height}" width="${w * width}" height="${h * height}" fill="#ffe57f"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${marks.join('')}</svg>`;
  const top = Math.max(Math.min(...regions.map(({ y }) => y)) - MARGIN, 0);
  const bottom = Math.min(Math.max(...regions.map(({ y, height: h }) => y + h)) + MARGIN, 1);
  const part = { left: 0, top: Math.round(top * height), width, height: Math.round((bottom - top) * height) };
  const marked = await drawn.composite([{ input: Buffer.from(svg), blend: 'multiply' }]).toBuffer();
  return sharp(marked).extract(part).png({ palette: true, colours: 32 }).toBuffer();
}

async function write(system: RunningSystem): Promise<void> {
  const [file = ''] = await storeFiles(system, [{ filename: 'lease.pdf', bytes: await drawContract() }]);
  const lines = [
    '# Citations on their pages',
    '',
    'Each citation of an answer has the sentence that supports it, and the regions of that sentence on the pages of the file. A viewer marks them in an',
    'image of the page (`GET /v1/files/{id}/pages/{page}.png`). This page was made by `npm run docs:citations`, from a contract of two pages and without a chat model. How statements are',
    'compared with the files: [decisions](decisions/answers.md#which-statements-are-shown).',
  ];
  for (const [at, question] of QUESTIONS.entries()) {
    const { answer, citations } = await ask(system, question);
    lines.push('', `## ${question}`, '', answer.replace(/([[\]])/g, '\\$1'), '');
    const quoted = citations.map(({ quote }) => quote);
    const numbers = [...new Set(quoted.flatMap(({ regions }) => regions.map(({ page }) => page)))];
    for (const number of numbers) {
      const regions = quoted.flatMap((quote) => quote.regions).filter(({ page }) => page === number);
      const name = `pictures/citation-${at + 1}-page-${number}.png`;
      await writeFile(docs(name), await picture(system, file, number, regions));
      lines.push(`![Page ${number} of the contract. The quoted sentences are marked.](${name})`);
    }
  }
  await writeFile(docs('citations.md'), `${lines.join('\n')}\n`);
}

const system = await startSystem({});
try {
  await write(system);
} finally {
  await system.stop();
}
