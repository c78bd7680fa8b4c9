// Floods Kiln with requests of one tenant until its input ends, then prints the number of responses by status. It is a separate process: its
// own work would delay the measured requests. `busy` sends nothing and keeps one core busy: what others lose to any process of the machine.
// Arguments: base URL, API key, flood (`batches`, `searches`, `lists`, `uploads` or `busy`), connections.
import { once } from 'node:events';
import { request } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { FLOOD_WORDS } from './flood-words.js';

/** One for all uploads: memory of their own would cost the machine more than the flood does. */
const MIB = Buffer.alloc(1024 * 1024);
const [baseUrl = '', key = '', flood = '', connections = ''] = process.argv.slice(2);
const authorization = `ApiKey ${key}`;
const statuses: Record<string, number> = {};
const count = (status: number | undefined) => (statuses[`${status}`] = (statuses[`${status}`] ?? 0) + 1);

/** Sends the request again and again on each of the connections. */
function repeat(path: string, init: RequestInit): void {
  const one = async () => {
    for (;;) {
      const response = await fetch(`${baseUrl}${path}`, init);
      await response.arrayBuffer();
      count(response.status);
    }
  };
  for (let at = 0; at < Number(connections); at++) void one().catch(() => count(0));
}

function postOf(json: unknown): RequestInit {
  const headers = { authorization, 'content-type': 'application/json' };
  return { method: 'POST', headers, body: Buffer.from(JSON.stringify(json)) };
}

/** Each upload sends 20 MiB and then holds its connection. */
function holdUploads(): void {
  const headers = { authorization, 'content-type': 'multipart/form-data; boundary=b' };
  for (let at = 0; at < Number(connections); at++) {
    const upload = request(`${baseUrl}/v1/upload`, { method: 'POST', headers });
    upload.once('error', () => count(0));
    upload.once('response', (response) => count(response.resume().statusCode));
    upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n');
    for (let sent = 0; sent < 20; sent++) upload.write(MIB);
  }
}

async function keepBusy(): Promise<never> {
  for (;;) {
    const end = performance.now() + 5;
    while (performance.now() < end);
    await yieldToEventLoop();
  }
}

const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'x'.repeat(370)]));
const files = Array.from({ length: 50 }, (_, at) => ({ filename: `${at}.txt`, metadata }));
const query = FLOOD_WORDS.join(' ');
/** A list takes at most 255 characters. */
const listed = new URLSearchParams({ search: FLOOD_WORDS.slice(0, 40).join(' ') });

if (flood === 'batches') repeat('/v1/upload/batch', postOf({ files }));
else if (flood === 'searches') repeat('/v1/search', postOf({ query }));
else if (flood === 'lists') repeat(`/v1/files?${listed.toString()}`, { headers: { authorization } });
else if (flood === 'uploads') holdUploads();
else void keepBusy();

await once(process.stdin.resume(), 'end');
console.log(JSON.stringify(statuses));
process.exit();
