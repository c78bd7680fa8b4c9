// What one tenant's flood costs another: GET /v1/files/{id} and searches of a second tenant, quiet and beside the flood, alternating within
// one run, closed loop. The floods: 120 parallel batches of 1 MB, 150 parallel searches of 250 words, 180 held uploads.
// The second tenant is the test plane of the organization. `pnpm bench:floods`
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { loadavg } from 'node:os';
import { closedLoop } from '../closed-loop.js';
import { median } from '../median.js';

const ROUNDS = 3;
const ROUND_MS = 8_000;
const CONNECTIONS = 4;
const MIB = 1024 * 1024;

type Caller = (path: string, body: unknown) => Promise<Response>;
type Flood = (signal: AbortSignal) => Promise<void>[];

const callerWith =
  ({ baseUrl }: RunningSystem, key: string, signal?: AbortSignal): Caller =>
  (path, body) =>
    fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });

/** Sends the body again and again on each of the connections, and counts the statuses. */
function repeated(system: RunningSystem, path: string, body: unknown, connections: number): Flood {
  return (signal) => {
    const statuses = new Map<number, number>();
    const post = callerWith(system, system.apiKey, signal);
    const one = async () => {
      while (!signal.aborted) {
        const response = await post(path, body).catch(() => null);
        await response?.arrayBuffer().catch(() => null);
        if (response) statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }
    };
    signal.addEventListener('abort', () => console.log(`  flood of ${path}:`, Object.fromEntries(statuses)));
    return Array.from({ length: connections }, one);
  };
}

/** Uploads that send 20 MiB and then hold their connections. */
function heldUploads({ baseUrl, apiKey }: RunningSystem, count: number): Flood {
  const headers = { authorization: `ApiKey ${apiKey}`, 'content-type': 'multipart/form-data; boundary=b' };
  return (signal) =>
    Array.from({ length: count }, async () => {
      const upload = request(`${baseUrl}/v1/upload`, { method: 'POST', headers, signal });
      const over = new Promise<void>((resolve) => {
        upload.once('close', resolve);
        upload.once('error', () => resolve());
        upload.once('response', (response) => response.resume());
      });
      upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n');
      for (let sent = 0; sent < 20; sent++) upload.write(Buffer.alloc(MIB));
      await over;
    });
}

/** Resident memory of each process, in MiB. */
function memoryOf(system: RunningSystem): Record<string, number> {
  const of = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  return Object.fromEntries(system.runJson().services.map(({ name, pid }) => [name, Math.round(of(pid))]));
}

async function compare(name: string, system: RunningSystem, next: () => Buffer, flood: Flood): Promise<void> {
  const load = () =>
    closedLoop({ url: system.baseUrl, connections: CONNECTIONS, milliseconds: ROUND_MS, next, status: 200 });
  await load();
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const quiet = await load();
    const stop = new AbortController();
    const running = flood(stop.signal);
    const beside = await load();
    const memory = JSON.stringify(memoryOf(system));
    stop.abort();
    await Promise.all(running);
    ratios.push(beside.p99Ms / quiet.p99Ms);
    console.log(`  p99 ${quiet.p99Ms.toFixed(1)} ms quiet, ${beside.p99Ms.toFixed(1)} ms beside; MiB ${memory}`);
  }
  console.log(`${name}: ratio of p99 ${median(ratios).toFixed(2)} (load average ${loadavg()[0]?.toFixed(1)})`);
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
    const made = await callerWith(system, system.apiKey)('/v1/org/api-keys', { name: 'second', mode: 'test' });
    const { key } = (await made.json()) as { key: string };
    const uploaded = await callerWith(system, key)('/v1/upload', { filename: 'asked-for.txt' });
    const { id } = (await uploaded.json()) as { id: string };
    const get = rawRequest(system, key, `GET /v1/files/${id} HTTP/1.1`);
    const search = rawRequest(system, key, 'POST /v1/search HTTP/1.1', JSON.stringify({ query: 'termination notice' }));
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'x'.repeat(370)]));
    const batch = { files: Array.from({ length: 50 }, (_, at) => ({ filename: `${at}.txt`, metadata })) };
    const words = { query: Array.from({ length: 250 }, (_, at) => `word${at}`).join(' ') };
    await compare('120 batches', system, () => get, repeated(system, '/v1/upload/batch', batch, 120));
    await compare('150 searches', system, () => search, repeated(system, '/v1/search', words, 150));
    await compare('180 held uploads', system, () => get, heldUploads(system, 180));
  } finally {
    await system.stop();
  }
}

await main();
