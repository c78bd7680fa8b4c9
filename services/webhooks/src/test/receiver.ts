// An endpoint on loopback. It records requests and responds as configured.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
  path: string;
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage, received: Received) => void;

export interface Receiver {
  url: string;
  received: Received[];
  /** How many connections were opened so far. */
  connections: number;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** Asks for the next attempt in an hour, so that none comes before the spec makes it due. */
export const LATER = { 'retry-after': '3600' };

export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Longer than a busy machine stands still between two requests. */
const KEEP_ALIVE_MS = 60_000;

export async function startReceiver(first: Behaviour = answer(204)): Promise<Receiver> {
  let behaviour = first;
  const received: Received[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const one = { headers: request.headers, body, at: performance.now(), path: request.url ?? '' };
    received.push(one);
    behaviour(response, request, one);
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    response.on('error', () => {});
    void receive(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    connections: 0,
    behave: (next) => (behaviour = next),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connection', () => receiver.connections++);
  return receiver;
}
