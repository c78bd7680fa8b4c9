// The host names of storage vendors on this machine: a name server, an egress proxy, and TLS with certificates of a test authority. Requests
// to a host are passed to a store on loopback, with the header Host, which signatures cover.
import { OutboundPolicy } from '@kiln/outbound';
import { selfSigned } from '@kiln/testing';
import { once } from 'node:events';
import {
  createServer as createProxy,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer, request as send } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createSecureContext } from 'node:tls';
import type { BucketOpenerOptions } from '../external-buckets/bucket-opener.service.js';

export interface VendorHosts {
  /** For BucketOpener. */
  options: Pick<BucketOpenerOptions, 'policy' | 'proxyUrl' | 'ca'>;
  /** The hosts of the requests so far. */
  asked: Set<string>;
  /** Sends a request to a URL of a vendor, as a browser would. */
  send(
    url: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<{ status: number; body: string }>;
  close(): void;
}

/**
 * `hosts` maps host names, and with them their subdomains, to the URLs of stores. `removedPath` is removed from paths, for a store behind a
 * gateway: the store then gets its own host, and must not check signatures.
 */
export async function startVendorHosts(hosts: Record<string, string>, removedPath = ''): Promise<VendorHosts> {
  const authority = selfSigned('authority.test');
  const asked = new Set<string>();
  const front = createServer({
    SNICallback: (name, answer) => {
      const { key, cert } = selfSigned(name, authority);
      answer(null, createSecureContext({ key, cert }));
    },
  });
  front.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const host = request.headers.host ?? '';
    asked.add(host);
    const found = Object.entries(hosts).find(([name]) => host === name || host.endsWith(`.${name}`));
    if (found) pass(found[1], removedPath, request, response);
    else response.writeHead(502).end();
  });
  const port = await listen(front);
  const proxy = createProxy();
  const sockets = new Set<Socket>();
  proxy.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  proxy.on('connect', (_request: IncomingMessage, client: Socket) => {
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => undefined);
    client.once('close', () => upstream.destroy());
  });
  const toLoopback = async () => ['127.0.0.1'];
  return {
    options: {
      policy: new OutboundPolicy({ allow: '127.0.0.0/8', resolveByDns: toLoopback, resolveBySystem: toLoopback }),
      proxyUrl: `http://127.0.0.1:${await listen(proxy)}`,
      ca: authority.cert,
    },
    asked,
    send: async (url, { method = 'GET', headers = {}, body } = {}) => {
      const { hostname, pathname, search } = new URL(url);
      const place = { host: '127.0.0.1', port, servername: hostname, path: `${pathname}${search}`, agent: false };
      const request = send({ ...place, method, headers: { host: hostname, ...headers }, ca: authority.cert });
      const [response] = (await once(request.end(body), 'response')) as [IncomingMessage];
      return { status: response.statusCode ?? 0, body: (await buffer(response)).toString() };
    },
    close: () => {
      for (const server of [front, proxy]) {
        server.close();
        server.closeAllConnections();
      }
      // Tunnels do not belong to the server any longer.
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function pass(target: string, removedPath: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url = '/' } = request;
  const { hostname, port } = new URL(target);
  const isBehindGateway = removedPath !== '' && url.startsWith(removedPath);
  const path = isBehindGateway ? url.slice(removedPath.length) : url;
  const host = isBehindGateway ? `${hostname}:${port}` : headers.host;
  const passed = forward({ hostname, port, path, method, headers: { ...headers, host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}
