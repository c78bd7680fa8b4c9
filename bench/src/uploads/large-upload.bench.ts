// A multipart upload of 1 GiB to a whole Kiln, in alternation with `curl -T` to a bare Node server that writes the same stream to
// disk. Also measures the maximum memory of the gateway. Needs curl. `npm run bench:large-upload`
import { startSystem } from '@kiln/dev/start-system';
import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomBytes } from 'node:crypto';
import { median } from '../median.js';
import { startBareUploadServer } from './start-bare-server.js';

const ROUNDS = 3;
const SIZE_MEBIBYTES = 1_024;
const MEMORY_SAMPLE_MS = 50;

const run = promisify(execFile);

async function writeLargeFile(path: string): Promise<void> {
  const file = createWriteStream(path);
  const mebibyte = randomBytes(1024 * 1024);
  for (let written = 0; written < SIZE_MEBIBYTES; written++) if (!file.write(mebibyte)) await once(file, 'drain');
  file.end();
  await once(file, 'finish');
}

/** Seconds of the transfer, measured by curl. */
async function curl(...argv: string[]): Promise<number> {
  const { stdout } = await run('curl', [
    '-sS',
    '-f',
    '-o',
    '/dev/null',
    '-w',
    '%{time_total}',
    '-H',
    'Expect:',
    ...argv,
  ]);
  return Number(stdout);
}

/** Resident memory of a process in mebibytes. */
function residentMebibytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-bench-'));
  const system = await startSystem();
  const large = join(folder, 'large.bin');
  let bare: { child: ChildProcess; port: number } | undefined;
  try {
    await writeLargeFile(large);
    bare = await startBareUploadServer(system.runJson().postgres.url, join(folder, 'bare'));
    const gateway = system.runJson().services.find(({ name }) => name === 'gateway')?.pid ?? 0;
    const headers = ['-H', `Authorization: ApiKey ${system.apiKey}`];
    const rates: { bare: number; kiln: number }[] = [];
    let residentMax = residentMebibytes(gateway);
    const idle = residentMax;
    const timer = setInterval(
      () => (residentMax = Math.max(residentMax, residentMebibytes(gateway))),
      MEMORY_SAMPLE_MS,
    );
    for (let round = 0; round < ROUNDS; round++) {
      const plain = await curl('-T', large, `http://127.0.0.1:${bare.port}/large`);
      const form = ['-F', 'skip_processing=true', '-F', `file=@${large}`];
      const kiln = await curl(...headers, ...form, `${system.baseUrl}/v1/upload`);
      rates.push({ bare: SIZE_MEBIBYTES / plain, kiln: SIZE_MEBIBYTES / kiln });
    }
    clearInterval(timer);
    const of = (side: 'bare' | 'kiln') => median(rates.map((rate) => rate[side])).toFixed(0);
    const ratio = median(rates.map((rate) => rate.kiln / rate.bare)).toFixed(2);
    console.log(
      `1 GiB: bare ${of('bare')} MiB/s, kiln ${of('kiln')} MiB/s, ratio ${ratio} (median of ${ROUNDS} rounds)`,
    );
    console.log(`gateway memory: ${idle.toFixed(0)} MiB before, at most ${residentMax.toFixed(0)} MiB meanwhile`);
  } finally {
    bare?.child.kill();
    await system.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
