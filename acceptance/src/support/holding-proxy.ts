// A proxy in front of a system that holds requests back.
import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HoldingProxy {
  url: string;
  /** Resolves when a request is held. */
  held: Promise<void>;
  close(): Promise<void>;
}

/** `isHeld` decides for each request. A held request gets no response. */
export async function startHoldingProxy(
  target: string,
  isHeld: (request: IncomingMessage) => boolean,
): Promise<HoldingProxy> {
  let reportHeld = () => {};
  const held = new Promise<void>((resolve) => (reportHeld = resolve));
  const server = createServer((request, response) => {
    if (isHeld(request)) return reportHeld();
    const { method, url = '/', headers } = request;
    const forwarded = send(new URL(url, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
