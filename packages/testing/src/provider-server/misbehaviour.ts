// Failures of a provider.
import { sendJson, type ProviderBehaviour } from './provider-server.js';

const TRICKLE_INTERVAL_MS = 20;

export const misbehaviour = {
  status:
    (
      status: number,
      headers: Record<string, string> = {},
      body: unknown = { error: { message: 'no' } },
    ): ProviderBehaviour =>
    (response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      sendJson(response, body, status);
    },
  /** 200 with this body. */
  json:
    (body: unknown): ProviderBehaviour =>
    (response) =>
      sendJson(response, body),
  /** 200 with this text, which may be invalid JSON. */
  text:
    (body: string, contentType = 'application/json'): ProviderBehaviour =>
    (response) =>
      void response.writeHead(200, { 'content-type': contentType }).end(body),
  /** Closes the connection without a response. */
  reset: ((response) => void response.destroy()) as ProviderBehaviour,
  /** Closes the connection in the middle of the response. */
  breakOff: ((response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"data":[', () => response.destroy());
  }) as ProviderBehaviour,
  hang: (() => {}) as ProviderBehaviour,
  /** Sends a response byte by byte, without end. */
  trickle: ((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), TRICKLE_INTERVAL_MS);
    response.on('close', () => clearInterval(timer));
  }) as ProviderBehaviour,
  /** Sends a response of this size. */
  oversized:
    (bytes: number): ProviderBehaviour =>
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const block = Buffer.alloc(65_536, ' ');
      let left = bytes;
      const send = () => {
        while (left > 0 && !response.destroyed) {
          left -= block.length;
          if (!response.write(block)) return void response.once('drain', send);
        }
        response.end('{}');
      };
      send();
    },
};
