// An authenticated GET /v1/files/:id through a whole Kiln (key, limit, log, Redis, NATS, Nest, Postgres) against a bare
// Express + pg process that answers the same rows, alternating within one run, closed loop. Ratios are Kiln to bare, of the same
// round. `npm run bench:gateway`
import { uuidOf } from '@kiln/contracts';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import type { LoadResult } from '../closed-loop.js';
import { median } from '../median.js';
import { cpuSeconds } from '../process-tree.js';

const ROUNDS = 5;
/** Many more than connections, so that concurrent requests are for different files. */
const FILES = 500;
const ROUND_MS = 5_000;
const CONNECTIONS = [16, 64] as const;

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

interface Target {
  url: string;
  authorization: string;
  ids: readonly string[];
  /** The root processes whose CPU time counts. */
  pids: readonly number[];
}

interface Measured extends LoadResult {
  cpuMsPerRequest: number;
}

async function load(target: Target, connections: number, milliseconds: number): Promise<Measured> {
  const before = cpuSeconds(target.pids);
  const argv = [
    script('load.js'),
    target.url,
    String(connections),
    String(milliseconds),
    target.authorization,
    ...target.ids,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  const result = JSON.parse(stdout) as LoadResult;
  return { ...result, cpuMsPerRequest: ((cpuSeconds(target.pids) - before) * 1_000) / result.requests };
}

async function uploadFile({ baseUrl, apiKey }: RunningSystem): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob(['A file to be asked for.']), 'asked-for.txt');
  form.append('skip_processing', 'true');
  const headers = { authorization: `ApiKey ${apiKey}` };
  const response = await fetch(`${baseUrl}/v1/upload`, { method: 'POST', headers, body: form });
  const body = (await response.json()) as { id?: string };
  if (!body.id) throw new Error(`the upload failed: ${JSON.stringify(body)}`);
  return body.id;
}

async function startBare(databaseUrl: string, fileUuid: string): Promise<{ child: ChildProcess; port: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const found = await client.query<{ tenant_id: string }>('select tenant_id from files.files where id = $1', [
    fileUuid,
  ]);
  await client.end();
  const argv = [script('bare-server.js'), databaseUrl, found.rows[0]?.tenant_id ?? ''];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line.toString()) };
}

async function compare(bare: Target, kiln: Target, connections: number): Promise<void> {
  const rounds: { bare: Measured; kiln: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ bare: await load(bare, connections, ROUND_MS), kiln: await load(kiln, connections, ROUND_MS) });
  }
  const ratio = (name: keyof Measured) => median(rounds.map((round) => round.kiln[name] / round.bare[name])).toFixed(2);
  const typical = (side: 'bare' | 'kiln') => {
    const of = (name: keyof Measured) => median(rounds.map((round) => round[side][name]));
    const [rate, p99, cpu] = [of('requestsPerSecond'), of('p99Ms'), of('cpuMsPerRequest')];
    return `${side} ${rate.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms, ${cpu.toFixed(2)} CPU ms/request`;
  };
  console.log(`${connections} connections: ${typical('bare')}; ${typical('kiln')}`);
  console.log(
    `${connections} connections: ratio of requests/s ${ratio('requestsPerSecond')}, p99 ${ratio('p99Ms')}, ` +
      `CPU per request ${ratio('cpuMsPerRequest')} (median of ${ROUNDS} rounds, load average ${loadavg()[0]?.toFixed(1)})`,
  );
}

async function main(): Promise<void> {
  const unlimited = { KILN_RATE_LIMIT_RPS: '1000000', KILN_RATE_LIMIT_BURST: '1000000' };
  const system = await startSystem({ environment: unlimited });
  let bareProcess: ChildProcess | undefined;
  try {
    const run = system.runJson();
    const postgres = Number(run.postgres.pid);
    const ids: string[] = [];
    while (ids.length < FILES) ids.push(await uploadFile(system));
    const uuids = ids.map((id) => uuidOf('file', id));
    const { child, port } = await startBare(run.postgres.url, uuids[0] ?? '');
    bareProcess = child;
    const pidsOfBare = [Number(child.pid), postgres];
    const bare = { url: `http://127.0.0.1:${port}`, authorization: 'none', ids: uuids, pids: pidsOfBare };
    const servers = [postgres, Number(run.nats.pid), Number(run.redis.pid), Number(run.object_store.pid)];
    const pids = [...run.services.map((service) => service.pid), ...servers];
    const kiln = { url: system.baseUrl, authorization: `ApiKey ${system.apiKey}`, ids, pids };
    for (const target of [bare, kiln]) await load(target, 64, ROUND_MS); // Warm: compiled, connected.
    for (const connections of CONNECTIONS) await compare(bare, kiln, connections);
  } finally {
    bareProcess?.kill();
    await system.stop();
  }
}

await main();
