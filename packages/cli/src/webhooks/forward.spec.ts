// Requests that `webhooks listen` sends, to a server on loopback.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { KilnEvent } from '@kiln/sdk';
import { verifyWebhook } from '@kiln/sdk/webhooks';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { forward, type Attempt } from './forward.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const EVENT = { id: 'evt_1', type: 'webhook.test', created_at: '', org_id: '', data: { webhook_id: 'wh_1' } };

let server: Server;
let statuses: number[];
let received: { headers: IncomingHttpHeaders; body: string }[];
beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    const respond = (body: string) => {
      received.push({ headers: request.headers, body });
      response.writeHead(statuses[received.length - 1] ?? 204, { location: '/elsewhere' }).end();
    };
    text(request).then(respond, () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function run(retries: number): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  const { port } = server.address() as AddressInfo;
  const { signal } = new AbortController();
  const event = EVENT as KilnEvent;
  await forward({ url: `http://127.0.0.1:${port}/`, event, secret: SECRET, retries, signal }, (attempt) =>
    attempts.push(attempt),
  );
  return attempts;
}

it('are signed with the local secret, and have the headers of a webhook', async () => {
  statuses = [204];
  expect(await run(0)).toMatchObject([{ number: 1, isDelivered: true, status: 204, retryInMs: null }]);
  const [request] = received;
  if (!request) throw new Error('nothing was received');
  expect(verifyWebhook({ ...request, secret: SECRET })).toStrictEqual(EVENT);
  expect(request.headers['kiln-payload-version']).toBe('1');
});

it('are repeated with the same id until a response with 2xx', async () => {
  statuses = [500, 204];
  expect(await run(3)).toMatchObject([
    { number: 1, isDelivered: false, status: 500, retryInMs: 1_000 },
    { number: 2, isDelivered: true, status: 204, retryInMs: null },
  ]);
  expect(received.map(({ headers }) => headers['webhook-id'])).toStrictEqual(['evt_1', 'evt_1']);
});

it('do not follow redirects, and end after the last retry', async () => {
  statuses = [307];
  expect(await run(0)).toMatchObject([{ number: 1, isDelivered: false, status: 307, retryInMs: null }]);
  expect(received).toHaveLength(1);
});

it('report a server that does not run', async () => {
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const attempts: Attempt[] = [];
  const { signal } = new AbortController();
  const event = EVENT as KilnEvent;
  await forward({ url: `http://127.0.0.1:${port}/`, event, secret: SECRET, retries: 0, signal }, (attempt) =>
    attempts.push(attempt),
  );
  expect(attempts).toMatchObject([{ isDelivered: false, status: null, error: 'ECONNREFUSED' }]);
});
