// The time from an event to its arrival, on a system at rest.
import { startSystem } from '@kiln/dev/start-system';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const UPLOADS = 100;

/** From `created_at` in the payload, on the clock of this machine, to the arrival of the request. */
export async function measureLatency(): Promise<void> {
  const system = await startSystem({ environment: { KILN_OUTBOUND_ALLOW: '127.0.0.1' } });
  const took: number[] = [];
  const endpoint = createServer((request, response) => {
    const at = Date.now();
    void text(request).then((body) => {
      took.push(at - Date.parse((JSON.parse(body) as { created_at: string }).created_at));
      return response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const authorization = `ApiKey ${system.apiKey}`;
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  await fetch(`${system.baseUrl}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['file.created'] }),
  });
  for (let index = 0; index < UPLOADS; index++) {
    const form = new FormData();
    form.append('skip_processing', 'true');
    form.append('file', new Blob(['A file to be told of.']), 'told.txt');
    await (
      await fetch(`${system.baseUrl}/v1/upload`, { method: 'POST', headers: { authorization }, body: form })
    ).text();
    while (took.length <= index) await delay(5);
    await delay(100); // At rest before each.
  }
  const sorted = took.slice(10).toSorted((a, b) => a - b); // The first ones warm it.
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  console.log(`webhooks: event to arrival p50 ${at(0.5)} ms, p99 ${at(0.99)} ms over ${sorted.length} events at rest`);
  endpoint.closeAllConnections();
  endpoint.close();
  await system.stop();
}
