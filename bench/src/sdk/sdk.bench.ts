// CPU time of the TypeScript SDK: GET /v1/files/:id through `@kiln/sdk` against bare `fetch` with the same headers and JSON.parse, and
// against fetch with a timeout, which the SDK always has. One request at a time, alternating within one process. The server is another
// process, so its CPU time is not counted. Goal: at most 5 % above fetch. `npm run bench:sdk [REQUESTS]`
import { Kiln } from '@kiln/sdk';
import { loadavg } from 'node:os';
import { median } from '../median.js';
import { startFixedServer } from './start-fixed-server.js';

const REQUESTS = Number(process.argv[2] ?? 10_000);
// Short rounds: the speed of a shared host changes within seconds.
const ROUNDS = 100;
const API_KEY = 'kiln_test_bench';
const ID = 'file_01je53ryvyfgystm9fdmy9q2gg';

async function cpuMicroseconds(count: number, request: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let sent = 0; sent < count; sent += 1) await request();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const { child, url } = await startFixedServer();
try {
  const kiln = new Kiln({ baseUrl: url, apiKey: API_KEY });
  const headers = { authorization: `ApiKey ${API_KEY}`, accept: 'application/json', 'user-agent': 'kiln-bench' };
  const getJson = async (init: RequestInit) => {
    const response = await fetch(`${url}/v1/files/${ID}`, { headers, ...init });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return JSON.parse(await response.text()) as unknown;
  };
  const sides = {
    fetch: () => getJson({}),
    'fetch with a timeout': () => getJson({ signal: AbortSignal.timeout(60_000) }),
    SDK: () => kiln.files.get(ID),
  };
  const names = Object.keys(sides) as (keyof typeof sides)[];
  const perRound = Math.ceil(REQUESTS / ROUNDS);
  for (const name of names) await cpuMicroseconds(perRound, sides[name]); // Warm: compiled, connected.
  const rounds: Record<keyof typeof sides, number>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const measured = { fetch: 0, 'fetch with a timeout': 0, SDK: 0 };
    // The order alternates, so that no side always runs after the garbage of the same one.
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) measured[name] = await cpuMicroseconds(perRound, sides[name]);
    rounds.push(measured);
  }
  for (const name of names) {
    const microseconds = median(rounds.map((round) => round[name])).toFixed(0);
    const ratioTo = (base: keyof typeof sides) => median(rounds.map((round) => round[name] / round[base])).toFixed(3);
    const ratios = `ratio ${ratioTo('fetch')}, to fetch with a timeout ${ratioTo('fetch with a timeout')}`;
    console.log(`${name}: ${microseconds} µs CPU a request, ${ratios}`);
  }
  console.log(`${perRound * ROUNDS} GETs each, medians of ${ROUNDS} rounds, load average ${loadavg()[0]?.toFixed(1)}`);
} finally {
  child.kill();
}
