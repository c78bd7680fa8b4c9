// What one tenant's flood costs another: GET /v1/files/{id} and searches of a second tenant, quiet and beside the flood, alternating within
// one run, closed loop. The floods: 120 parallel batches of 1 MB, 150 parallel searches of 250 words, 180 held uploads.
// The second tenant is the test plane of the organization; what it asks for has no weight, so it needs no part of the organization's share.
// `pnpm bench:floods`
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { closedLoop } from '../closed-loop.js';
import { median } from '../median.js';

const ROUNDS = 3;
const ROUND_MS = 8_000;
const CONNECTIONS = 4;
const FLOOD = fileURLToPath(new URL('flood.js', import.meta.url));

/** Resident memory of each process, in MiB. */
function memoryOf(system: RunningSystem): Record<string, number> {
  const of = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  return Object.fromEntries(system.runJson().services.map(({ name, pid }) => [name, Math.round(of(pid))]));
}

async function compare(flood: string, system: RunningSystem, next: () => Buffer): Promise<void> {
  const load = () =>
    closedLoop({ url: system.baseUrl, connections: CONNECTIONS, milliseconds: ROUND_MS, next, status: 200 });
  await load();
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const quiet = await load();
    const child = spawn(process.execPath, [FLOOD, system.baseUrl, system.apiKey, flood], {
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    const ended = once(child, 'exit');
    const beside = await load();
    const memory = JSON.stringify(memoryOf(system));
    child.stdin.end();
    await ended;
    ratios.push(beside.p99Ms / quiet.p99Ms);
    console.log(`  p99 ${quiet.p99Ms.toFixed(1)} ms quiet, ${beside.p99Ms.toFixed(1)} ms beside; MiB ${memory}`);
  }
  console.log(`${flood}: ratio of p99 ${median(ratios).toFixed(2)} (load average ${loadavg()[0]?.toFixed(1)})`);
}

function rawRequest(system: RunningSystem, key: string, line: string, body = ''): Buffer {
  const head = [line, `Host: ${new URL(system.baseUrl).host}`, `Authorization: ApiKey ${key}`];
  if (body !== '') head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

async function main(): Promise<void> {
  const unlimited = { KILN_RATE_LIMIT_RPS: '1000000', KILN_RATE_LIMIT_BURST: '1000000' };
  const system = await startSystem({ environment: unlimited });
  try {
    const post = async (path: string, key: string, body: unknown) => {
      const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
      const response = await fetch(`${system.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { id: string; key: string };
    };
    const { key } = await post('/v1/org/api-keys', system.apiKey, { name: 'second', mode: 'test' });
    const { id } = await post('/v1/upload', key, { filename: 'asked-for.txt' });
    const get = rawRequest(system, key, `GET /v1/files/${id} HTTP/1.1`);
    const search = rawRequest(system, key, 'POST /v1/search HTTP/1.1', JSON.stringify({ query: 'termination notice' }));
    await compare('batches', system, () => get);
    await compare('searches', system, () => search);
    await compare('uploads', system, () => get);
  } finally {
    await system.stop();
  }
}

await main();
