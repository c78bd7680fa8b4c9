// What a model on the machine costs: from its installation to the first file found by meaning, for a small file, and for embedding files that were
// stored before.
// `npm run bench:local-model FOLDER`, a folder with an ONNX model, its tokenizer and config
import { repositoryDirectory } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cpuSeconds } from '../process-tree.js';
import { storeFiles, type StoredFile } from '../stored-files.js';
import { markdownDocument } from './documents.js';

const FILES = 200;
const BYTES = 2_000;
const STARTED_MS = 30_000;
const MODEL = 'bench';

const documents = (count: number): StoredFile[] =>
  Array.from({ length: count }, () => markdownDocument(BYTES)).map(({ filename, bytes }) => ({ filename, bytes }));

async function served({ baseUrl, apiKey }: RunningSystem, query: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/v1/search`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, limit: 1 }),
  });
  const { results, served: parts } = (await response.json()) as { results: unknown[]; served: string[] };
  return parts.includes('vector') && results.length > 0;
}

async function measured(system: RunningSystem, name: string, work: () => Promise<unknown>): Promise<void> {
  const [startedAt, cpuBefore] = [performance.now(), cpuSeconds([system.pid])];
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuMs = ((cpuSeconds([system.pid]) - cpuBefore) / FILES) * 1_000;
  console.log(`${name}: ${(FILES / seconds).toFixed(1)} files/s, CPU ${cpuMs.toFixed(1)} ms a file`);
}

async function main(folder: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-local-model-'));
  const dataDir = join(directory, 'data');
  const command = join(repositoryDirectory, 'infra/dev/dist/operator/main.js');
  const kiln = (...words: string[]) =>
    promisify(execFile)(process.execPath, [command, ...words], { env: { KILN_DATA_DIR: dataDir } });
  const start = (models: string) =>
    startSystem({ dataDir, environment: { KILN_LOCAL_MODELS: models, KILN_RATE_LIMIT_RPS: '1000000' } });
  let system = await start('none');
  try {
    await delay(STARTED_MS);
    await measured(system, 'stored without a model', () => storeFiles(system, documents(FILES)));
    await system.stop();
    const startedAt = performance.now();
    await kiln('models', 'add', MODEL, folder);
    system = await start(MODEL);
    await storeFiles(system, [{ filename: 'leave.md', text: '# Leave\n\nEmployees get 25 days of annual leave.' }]);
    while (!(await served(system, 'vacation'))) await delay(100);
    console.log(
      `installed, started, and a first file found by meaning: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
    );
    await delay(STARTED_MS);
    await measured(system, 'embedded by kiln search reembed', () => kiln('search', 'reembed', '--all'));
    await measured(system, 'stored with the model', () => storeFiles(system, documents(FILES)));
  } finally {
    await system.stop();
    rmSync(directory, { recursive: true });
  }
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: npm run bench:local-model FOLDER');
await main(folder);
