// 1 KB uploads into a whole Kiln (bytes in the object store, rows of file and job, events, answer) at 16 connections, closed
// loop, against Express + pg + a folder doing the same writes, in turn within one run. The worker is stopped meanwhile: what
// is measured is taking uploads, not reading them. `pnpm bench:small-uploads`
import { startSystem } from '@kiln/dev/start-system';
import { execFile, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LoadResult } from '../closed-loop.js';
import { median } from '../median.js';
import { startBareUploadServer } from './start-bare-server.js';

const ROUNDS = 5;
const ROUND_MS = 4_000;
const CONNECTIONS = 16;

const LOAD = fileURLToPath(new URL('small-load.js', import.meta.url));

async function load(url: string, authorization: string, form: 'form' | 'raw', milliseconds = ROUND_MS) {
  const argv = [LOAD, url, String(CONNECTIONS), String(milliseconds), authorization, form];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  return JSON.parse(stdout) as LoadResult;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-bench-'));
  const unlimited = { KILN_RATE_LIMIT_RPS: '1000000', KILN_RATE_LIMIT_BURST: '1000000' };
  const system = await startSystem({ environment: unlimited });
  let bareProcess: ChildProcess | undefined;
  const worker = system.runJson().services.find(({ name, role }) => name === 'jobs' && role === 'worker')?.pid ?? 0;
  process.kill(worker, 'SIGSTOP');
  try {
    const { child, port } = await startBareUploadServer(system.runJson().postgres.url, folder);
    bareProcess = child;
    const bare = (ms?: number) => load(`http://127.0.0.1:${port}`, 'none', 'raw', ms);
    const kiln = (ms?: number) => load(system.baseUrl, `ApiKey ${system.apiKey}`, 'form', ms);
    await bare(2_000);
    await kiln(2_000); // Warm: compiled, connected.
    const rounds: { bare: LoadResult; kiln: LoadResult }[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push({ bare: await bare(), kiln: await kiln() });
    for (const side of ['bare', 'kiln'] as const) {
      const of = (name: keyof LoadResult) => median(rounds.map((round) => round[side][name])).toFixed(0);
      console.log(`${side}: ${of('requestsPerSecond')}/s, p50 ${of('p50Ms')} ms, p99 ${of('p99Ms')} ms`);
    }
    const ratio = median(rounds.map((round) => round.kiln.requestsPerSecond / round.bare.requestsPerSecond));
    console.log(`ratio ${ratio.toFixed(2)} (median of ${ROUNDS} rounds, load average ${loadavg()[0]?.toFixed(1)})`);
  } finally {
    bareProcess?.kill();
    process.kill(worker, 'SIGCONT');
    await system.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
