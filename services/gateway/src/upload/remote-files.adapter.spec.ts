// Real: an HTTP server on loopback.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dispatcher } from 'undici';
import { RemoteFiles } from './remote-files.adapter.js';

let server: Server;
let served: RequestListener;
let dispatcher: Dispatcher;
let policy: OutboundPolicy;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => served(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/a.txt`;
  policy = new OutboundPolicy({ allow: `127.0.0.1:${port}` });
  dispatcher = createGuardedAgent({ policy, connectTimeoutMs: 60_000, keepAliveMs: 1 });
});
afterAll(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  server.close();
});

const never = new AbortController().signal;
const download = async (deadlineMs: number) => {
  const { chunks } = await new RemoteFiles({ policy, dispatcher, deadlineMs }).open(url, never);
  for await (const _chunk of chunks);
};

it('closes the connection of a file that the caller ends before it has read any of it', async () => {
  const closed = new Promise<void>((resolve) => {
    served = (_request, response) => void response.once('close', resolve).write('x'.repeat(1_000));
  });
  const file = await new RemoteFiles({ policy, dispatcher, deadlineMs: 600_000 }).open(url, never);
  file.end();
  await expect(closed).resolves.toBeUndefined();
});

it.each<[string, RequestListener]>([
  ['does not answer', () => undefined],
  ['does not end', (_request, response) => void response.write('x')],
])('ends a download whose server %s within the time for it', async (_what, listener) => {
  served = listener;
  const error: unknown = await download(50).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE', message: 'url: The download took longer than 0.05 s.' });
});
