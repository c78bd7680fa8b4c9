// `kiln up` of a folder of 1 KB files into a whole Kiln, against a process that sends the same requests with bare fetch, alternating,
// four files at a time, each round into a new space. The time includes the start of both. The worker is stopped, because the bench
// measures uploads, not extraction. Goal: at least 0.9 of the files per second. `npm run bench:cli-uploads [FILES] [ROUNDS]`
import { repositoryDirectory } from '@kiln/dev';
import { startSystem } from '@kiln/dev/start-system';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from '../median.js';
import { millisecondsOf } from './run-process.js';

const FILES = Number(process.argv[2] ?? 1_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const SIZE_BYTES = 1_024;
/** Events of the files are still handled after an upload. They must not slow down the next one. */
const PAUSE_MS = 4_000;
const KILN = join(repositoryDirectory, 'packages/cli/bin/kiln.js');
const PLAIN = fileURLToPath(new URL('plain-uploads.js', import.meta.url));

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-bench-'));
  const files = join(folder, 'files');
  await mkdir(files);
  // `up` uploads equal files once, so each has a text of its own.
  for (let at = 0; at < FILES; at += 1)
    await writeFile(join(files, `${at}.txt`), `File ${at}. `.repeat(SIZE_BYTES).slice(0, SIZE_BYTES));
  const unlimited = { KILN_RATE_LIMIT_RPS: '1000000', KILN_RATE_LIMIT_BURST: '1000000' };
  const { baseUrl, apiKey, ...system } = await startSystem({ environment: unlimited });
  const worker = system.runJson().services.find(({ name, role }) => name === 'jobs' && role === 'worker')?.pid ?? 0;
  process.kill(worker, 'SIGSTOP');
  try {
    const env = { PATH: '', KILN_URL: baseUrl, KILN_API_KEY: apiKey, KILN_CONFIG_DIR: join(folder, 'config') };
    const sides = {
      plain: (space: string) => [PLAIN, baseUrl, apiKey, files, space],
      'kiln up': (space: string) => [KILN, 'up', files, '--space', space],
      'kiln up --force': (space: string) => [KILN, 'up', files, '--space', space, '--force'],
    };
    const names = Object.keys(sides) as (keyof typeof sides)[];
    const rateOf = async (name: keyof typeof sides, round: number) => {
      await delay(PAUSE_MS);
      return (FILES * 1_000) / (await millisecondsOf(sides[name](`${round}-${name.replaceAll(' ', '-')}`), env));
    };
    for (const name of names) await rateOf(name, -1); // Warm: the system has compiled and connected.
    const rounds: Record<string, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const measured: Record<string, number> = {};
      for (const name of names) measured[name] = await rateOf(name, round);
      rounds.push(measured);
    }
    const of = (name: string) => rounds.map((round) => round[name] ?? Number.NaN);
    const bare = of('plain');
    for (const name of names) {
      const ratio = median(of(name).map((rate, at) => rate / (bare[at] ?? Number.NaN)));
      console.log(`${name}: ${median(of(name)).toFixed(0)} files/s, ratio ${ratio.toFixed(2)}`);
    }
    console.log(`${FILES} files, medians of ${ROUNDS} rounds, load average ${loadavg()[0]?.toFixed(1)}`);
  } finally {
    process.kill(worker, 'SIGCONT');
    await system.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
