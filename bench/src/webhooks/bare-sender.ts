// What nobody could do with less: signs payloads and posts them over kept connections, and keeps no books. Reads
// `{url, secret, payloads, connections}` from standard input; prints `{seconds, cpuSeconds}`.
import { createHmac } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { Pool } from 'undici';

interface Work {
  url: string;
  secret: string;
  payloads: string[];
  connections: number;
}

const { url, secret, payloads, connections } = (await json(process.stdin)) as Work;
const { origin, pathname } = new URL(url);
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
const pool = new Pool(origin, { connections });

async function post(body: string): Promise<void> {
  const id = body.slice(7, 37);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const response = await pool.request({ path: pathname, method: 'POST', headers, body });
  await response.body.dump();
  if (response.statusCode !== 204) throw new Error(`answered ${response.statusCode}`);
}

async function run(work: readonly string[]): Promise<void> {
  let next = 0;
  const sender = async () => {
    for (let body = work[next++]; body !== undefined; body = work[next++]) await post(body);
  };
  await Promise.all(Array.from({ length: connections }, sender));
}

await run(payloads.slice(0, 2_000)); // Warm: compiled, connected.
const cpu = process.cpuUsage();
const startedAt = performance.now();
await run(payloads);
const seconds = (performance.now() - startedAt) / 1_000;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1_000_000 }));
process.exit(0);
