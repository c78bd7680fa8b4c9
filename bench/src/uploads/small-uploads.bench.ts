// 1 KB uploads into a whole Kiln (bytes in the object store, rows of file and job, events, response) over 16 connections, closed
// loop, against Express + pg + a folder with the same writes, alternating within one run: with files synced to disk, like Kiln's,
// and without sync. The worker is stopped, because the bench measures uploads, not extraction.
// `npm run bench:small-uploads`
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
const WARM_MS = 12_000;
const CONNECTIONS = 16;

const LOAD = fileURLToPath(new URL('small-load.js', import.meta.url));

async function load(
  url: string,
  authorization: string,
  to: 'kiln' | '/small' | '/small-unsynced',
  milliseconds = ROUND_MS,
) {
  const argv = [LOAD, url, String(CONNECTIONS), String(milliseconds), authorization, to];
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
    const bareUrl = `http://127.0.0.1:${port}`;
    const sides = {
      kiln: (ms?: number) => load(system.baseUrl, `ApiKey ${system.apiKey}`, 'kiln', ms),
      'bare, synced': (ms?: number) => load(bareUrl, 'none', '/small', ms),
      'bare, unsynced': (ms?: number) => load(bareUrl, 'none', '/small-unsynced', ms),
    };
    const names = Object.keys(sides) as (keyof typeof sides)[];
    for (const name of names) await sides[name](WARM_MS); // Compiled, connected: ten processes share two cores for that.
    const rounds: Record<keyof typeof sides, LoadResult>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const results: [string, LoadResult][] = [];
      for (const name of names) results.push([name, await sides[name]()]);
      rounds.push(Object.fromEntries(results) as (typeof rounds)[number]);
    }
    for (const side of names) {
      const of = (name: keyof LoadResult) => median(rounds.map((round) => round[side][name])).toFixed(0);
      const ratio = median(rounds.map((round) => round.kiln.requestsPerSecond / round[side].requestsPerSecond));
      console.log(
        `${side}: ${of('requestsPerSecond')}/s, p50 ${of('p50Ms')} ms, p99 ${of('p99Ms')} ms, ratio ${ratio.toFixed(2)}`,
      );
    }
    console.log(`medians of ${ROUNDS} rounds, load average ${loadavg()[0]?.toFixed(1)}`);
  } finally {
    bareProcess?.kill();
    process.kill(worker, 'SIGCONT');
    await system.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
