// The minimal sender: signs payloads and posts them over kept-alive connections, and records nothing. Reads one line `{url, secret,
// connections}`. Then, for each line of payloads as JSON, it prints `ready`, waits for a line, sends, and prints `done`.
import { createHmac } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

interface Target {
  url: string;
  secret: string;
  connections: number;
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const nextLine = async () => (await lines.next()).value ?? process.exit(0);

const { url, secret, connections } = JSON.parse(await nextLine()) as Target;
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

for (;;) {
  const payloads = JSON.parse(await nextLine()) as string[];
  console.log('ready');
  await nextLine();
  await run(payloads);
  console.log('done');
}
