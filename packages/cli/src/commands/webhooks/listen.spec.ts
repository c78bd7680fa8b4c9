// How `webhooks listen` ends, with a server on loopback that receives the events.
import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runKiln } from '../../fixtures/run-kiln.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

/** Sends the events, and then nothing. */
function open(ids: readonly string[]): Response {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(textOf(ids))) });
  return new Response(body, HEADERS);
}

const HEADERS = { headers: { 'content-type': 'text/event-stream' } };

function textOf(ids: readonly string[]): string {
  const events = ids.map((id) => ({ id, type: 'job.failed', created_at: '', org_id: 'org_1', data: {} }));
  return events.map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

it('names the last event that was sent to its end, not the one that was interrupted', async () => {
  const controller = new AbortController();
  const received: unknown[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers['webhook-id']);
    if (received.length === 1) response.writeHead(204).end();
    else controller.abort(new Error('interrupted'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { exit, err } = await runKiln(['webhooks', 'listen', '--forward', `http://127.0.0.1:${port}/`], {
    handlers: { 'GET /v1/events/stream': () => open(['evt_1', 'evt_2']) },
    environment: { webhookSecret: SECRET },
    signal: controller.signal,
  });
  server.closeAllConnections();
  server.close();
  expect(received).toStrictEqual(['evt_1', 'evt_2']);
  expect(exit).toBe(130);
  expect(err).toContain('error: Continue with the option: --after evt_1\n');
});

it('names the last event that was sent when the stream cannot be renewed', async () => {
  const server = createServer((_request, response) => response.writeHead(204).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { exit, err } = await runKiln(['webhooks', 'listen', '--forward', `http://127.0.0.1:${port}/`], {
    handlers: { 'GET /v1/events/stream': () => new Response(textOf(['evt_1']), HEADERS) },
    environment: { webhookSecret: SECRET },
  });
  server.closeAllConnections();
  server.close();
  expect(exit).toBe(5);
  expect(err).toContain('Continue with the option: --after evt_1\n');
});
