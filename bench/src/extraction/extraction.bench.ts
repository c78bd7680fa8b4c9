// What the engines and the sandbox cost: pages per second of each kind through a warm sandbox, beside the same engine in this process and the
// library that it builds on, in alternating rounds. `npm run bench:extraction [kind …]`
import { createSandbox, defaultLimits, type ExtractionInput } from '@kiln/extraction';
import { createLocalExtractor } from '@kiln/readers/local-extractor';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../median.js';
import { documents, type SizedDocument } from './documents.js';
import { libraries } from './libraries.js';

/** Large: an engine reads for some 200 ms or longer. */
const LARGE_PAGES: Readonly<Record<string, number>> = { pdf: 200, docx: 200, pptx: 200 };
const LARGE_PAGES_OF_FAST_KINDS = 2_000;
interface Rounds {
  /** Until V8 has optimized the code of the engine. A sandbox is replaced after 1,000 documents. */
  warmUp: number;
  measured: number;
}
const SMALL_ROUNDS: Rounds = { warmUp: 200, measured: 25 };
const LARGE_ROUNDS: Rounds = { warmUp: 8, measured: 21 };

const signal = new AbortController().signal;
const folder = await mkdtemp(join(tmpdir(), 'kiln-bench-'));
const sandbox = createSandbox({ processes: 1, isolation: 'preferred' });
const engines = createLocalExtractor(defaultLimits);

async function inputOf({ filename, contentType, bytes }: SizedDocument): Promise<ExtractionInput> {
  const path = join(folder, filename);
  await writeFile(path, bytes);
  return { path, filename, contentType, outputDirectory: folder };
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

interface Times {
  library: number;
  engine: number;
  sandbox: number;
}

/** Medians in milliseconds. */
async function measure(kind: string, document: SizedDocument, { warmUp, measured }: Rounds): Promise<Times> {
  const input = await inputOf(document);
  const rounds: Times[] = [];
  for (let round = -warmUp; round < measured; round++) {
    const times = {
      library: await millisecondsOf(async () => libraries[kind]?.read(document.bytes)),
      engine: await millisecondsOf(() => engines.extract(input, signal)),
      sandbox: await millisecondsOf(() => sandbox.extract(input, signal)),
    };
    if (round >= 0) rounds.push(times);
  }
  const of = (side: keyof Times) => median(rounds.map((times) => times[side]));
  return { library: of('library'), engine: of('engine'), sandbox: of('sandbox') };
}

async function main(chosen: readonly string[]): Promise<void> {
  const { level } = await sandbox.checkIsolation();
  console.log(`isolation ${level}, load average ${loadavg()[0]?.toFixed(1)}`);
  for (const [kind, documentOf] of Object.entries(documents)) {
    if (chosen.length > 0 && !chosen.includes(kind)) continue;
    const pages = LARGE_PAGES[kind] ?? LARGE_PAGES_OF_FAST_KINDS;
    const small = await measure(kind, await documentOf(1), SMALL_ROUNDS);
    const large = await measure(kind, await documentOf(pages), LARGE_ROUNDS);
    const rate = (milliseconds: number) => ((pages * 1_000) / milliseconds).toFixed(0).padStart(6);
    console.log(
      `${kind.padEnd(5)} 1 page: sandbox adds ${(small.sandbox - small.engine).toFixed(1)} ms to ${small.engine.toFixed(1)}; ` +
        `${pages} pages in ${large.engine.toFixed(0)} ms: ${rate(large.sandbox)} pages/s, engine ${rate(large.engine)}, ` +
        `${libraries[kind] ? `${libraries[kind].name} ${rate(large.library)}` : 'no library'}; sandbox / engine ${(large.sandbox / large.engine).toFixed(2)}`,
    );
  }
}

try {
  await main(process.argv.slice(2));
} finally {
  await sandbox.close();
  await rm(folder, { recursive: true });
}
