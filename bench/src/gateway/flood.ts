// A flood of one tenant, as a separate process, so that its own work does not delay what is measured. argv: base URL, key, and the flood:
// `batches`, `searches` or `uploads`. Runs until its input ends, then prints how often it got each status.
import { once } from 'node:events';
import { request } from 'node:http';

const MIB = 1024 * 1024;
const [baseUrl = '', key = '', flood = ''] = process.argv.slice(2);
const authorization = `ApiKey ${key}`;
const statuses: Record<string, number> = {};
const count = (status: number | undefined) => (statuses[`${status}`] = (statuses[`${status}`] ?? 0) + 1);

/** Sends the body again and again on each of the connections. */
function repeat(path: string, json: unknown, connections: number): void {
  const body = Buffer.from(JSON.stringify(json));
  const headers = { authorization, 'content-type': 'application/json' };
  const one = async () => {
    for (;;) {
      const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body });
      await response.arrayBuffer();
      count(response.status);
    }
  };
  for (let at = 0; at < connections; at++) void one().catch(() => count(0));
}

/** Each upload sends 20 MiB and then holds its connection. */
function holdUploads(uploads: number): void {
  const headers = { authorization, 'content-type': 'multipart/form-data; boundary=b' };
  for (let at = 0; at < uploads; at++) {
    const upload = request(`${baseUrl}/v1/upload`, { method: 'POST', headers });
    upload.once('error', () => count(0));
    upload.once('response', (response) => count(response.resume().statusCode));
    upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n');
    for (let sent = 0; sent < 20; sent++) upload.write(Buffer.alloc(MIB));
  }
}

const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'x'.repeat(370)]));
const files = Array.from({ length: 50 }, (_, at) => ({ filename: `${at}.txt`, metadata }));
const query = Array.from({ length: 250 }, (_, at) => `word${at}`).join(' ');

if (flood === 'batches') repeat('/v1/upload/batch', { files }, 120);
else if (flood === 'searches') repeat('/v1/search', { query }, 150);
else holdUploads(180);

await once(process.stdin.resume(), 'end');
console.log(JSON.stringify(statuses));
process.exit();
