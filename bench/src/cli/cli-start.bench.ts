// The time from the start of `kiln` to its exit, against an empty program of Node, alternating. `ls` sends one request to a server that
// answers at once. Goal: at most 150 ms for `--version`. `npm run bench:cli-start [ROUNDS]`
import { repositoryDirectory } from '@kiln/dev';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { median } from '../median.js';
import { startFixedServer } from '../sdk/start-fixed-server.js';
import { millisecondsOf } from './run-process.js';

const ROUNDS = Number(process.argv[2] ?? 20);
const KILN = join(repositoryDirectory, 'packages/cli/bin/kiln.js');

const { child, url } = await startFixedServer();
try {
  const env = { PATH: '', KILN_URL: url, KILN_API_KEY: 'kiln_test_bench', KILN_CONFIG_DIR: '/nonexistent' };
  const programs = {
    'node -e 0': ['-e', '0'],
    'kiln --version': [KILN, '--version'],
    'kiln ls --help': [KILN, 'ls', '--help'],
    'kiln ls': [KILN, 'ls'],
  };
  const times = new Map<string, number[]>(Object.keys(programs).map((name) => [name, []]));
  for (const argv of Object.values(programs)) await millisecondsOf(argv, env); // Files are in the cache of the system.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, argv] of Object.entries(programs)) times.get(name)?.push(await millisecondsOf(argv, env));
  const bare = times.get('node -e 0') ?? [];
  for (const [name, measured] of times) {
    const ratio = median(measured.map((value, at) => value / (bare[at] ?? Number.NaN)));
    console.log(`${name}: ${median(measured).toFixed(0)} ms, ratio ${ratio.toFixed(2)}`);
  }
  console.log(`medians of ${ROUNDS} rounds, load average ${loadavg()[0]?.toFixed(1)}`);
} finally {
  child.kill();
}
