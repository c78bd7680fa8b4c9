// Webhook endpoints on loopback, well-behaved and hostile.
import { selfSigned } from '@kiln/dev';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface Endpoint {
  url: string;
  received: Received[];
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export type Behaviour = (response: ServerResponse, received: Received) => void;

export const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end();

const LARGE_BODY = Buffer.alloc(10 * 1_048_576, 'x');

/** One endpoint per kind of misbehavior, except one that never responds. */
export const hostile: Record<string, Behaviour> = {
  'answers one byte a second': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    const timer = setInterval(() => response.write('.'), 1_000);
    response.on('close', () => clearInterval(timer));
  },
  'closes in the middle of its answer': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('.', () => response.destroy());
  },
  'answers 500': answer(500),
  'redirects to itself': answer(307, { location: '/' }),
  'answers with 10 MB': (response) => void response.writeHead(200).end(LARGE_BODY),
};

async function listening(server: Server, scheme: string): Promise<Pick<Endpoint, 'url' | 'close'>> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function startEndpoint(first: Behaviour = answer(204)): Promise<Endpoint> {
  const received: Received[] = [];
  let behaviour = first;
  const server = createServer((request, response) => {
    response.on('error', () => {});
    void text(request).then(
      (body) => {
        const one = { headers: request.headers, body, at: Date.now() };
        received.push(one);
        return behaviour(response, one);
      },
      () => {},
    );
  });
  return { ...(await listening(server, 'http')), received, behave: (next) => (behaviour = next) };
}

/** Serves TLS with a self-signed certificate. */
export async function startUntrustedEndpoint(): Promise<Endpoint> {
  const received: Received[] = [];
  const server = createTlsServer(selfSigned('127.0.0.1'), (request, response) => {
    received.push({ headers: request.headers, body: '', at: Date.now() });
    response.end();
  });
  return { ...(await listening(server, 'https')), received, behave: () => {} };
}
