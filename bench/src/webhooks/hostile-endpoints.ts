// One endpoint per kind of misbehavior, in a separate process. Prints their URLs by name, as JSON.
import { selfSigned } from '@kiln/dev';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const LARGE_BODY = Buffer.alloc(10 * 1_048_576, 'x');

const behaviours: Record<string, (response: ServerResponse) => void> = {
  'never answers': () => {},
  'answers one byte a second': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    const timer = setInterval(() => response.write('.'), 1_000);
    response.on('close', () => clearInterval(timer));
  },
  'closes in the middle of its answer': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('.', () => response.destroy());
  },
  'answers 500': (response) => void response.writeHead(500).end(),
  'answers 410': (response) => void response.writeHead(410).end(),
  'redirects to itself': (response) => void response.writeHead(307, { location: '/' }).end(),
  'answers with 10 MB': (response) => void response.writeHead(200).end(LARGE_BODY),
};

async function listening(server: Server, scheme: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const urls: Record<string, string> = {};
for (const [name, behave] of Object.entries(behaviours)) {
  const server = createServer((request, response) => {
    response.on('error', () => {});
    request.resume().on('end', () => behave(response));
  });
  urls[name] = await listening(server, 'http');
}
const untrusted = createTlsServer(selfSigned('127.0.0.1'), (_request, response) => void response.end());
urls['has a bad certificate'] = await listening(untrusted, 'https');
console.log(JSON.stringify(urls));
