// CPU time of the TypeScript SDK: GET /v1/files/:id through `@kiln/sdk` against bare `fetch` with the same headers and JSON.parse, one
// request at a time, alternating within one process. The server is another process, so its CPU time is not counted. Goal: at most 5 %
// above fetch. `pnpm bench:sdk [REQUESTS]`
import { Kiln } from '@kiln/sdk';
import { loadavg } from 'node:os';
import { median } from '../median.js';
import { startFixedServer } from './start-fixed-server.js';

const REQUESTS = Number(process.argv[2] ?? 10_000);
const ROUNDS = 10;
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
  const headers = { authorization: `ApiKey ${API_KEY}`, accept: 'application/json' };
  const sides = {
    fetch: async () => {
      const response = await fetch(`${url}/v1/files/${ID}`, { headers });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return JSON.parse(await response.text()) as unknown;
    },
    sdk: () => kiln.files.get(ID),
  };
  const perRound = Math.ceil(REQUESTS / ROUNDS);
  for (const request of Object.values(sides)) await cpuMicroseconds(perRound, request); // Warm: compiled, connected.
  const rounds: { fetch: number; sdk: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // The side that begins alternates, so that neither always runs after the other's garbage.
    const order = round % 2 === 0 ? (['fetch', 'sdk'] as const) : (['sdk', 'fetch'] as const);
    const measured = { fetch: 0, sdk: 0 };
    for (const side of order) measured[side] = await cpuMicroseconds(perRound, sides[side]);
    rounds.push(measured);
  }
  const of = (side: 'fetch' | 'sdk') => median(rounds.map((round) => round[side])).toFixed(0);
  const ratio = median(rounds.map(({ fetch: bare, sdk }) => sdk / bare));
  console.log(`${perRound * ROUNDS} GETs each: fetch ${of('fetch')} µs CPU a request, SDK ${of('sdk')} µs`);
  console.log(
    `ratio ${ratio.toFixed(3)} (median of ${ROUNDS} rounds, goal at most 1.05, load average ${loadavg()[0]?.toFixed(1)})`,
  );
} finally {
  child.kill();
}
