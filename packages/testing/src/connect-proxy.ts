// An egress proxy on loopback that supports only CONNECT, and records the requests.
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface ConnectProxy {
  url: string;
  /** `address:port` of every requested tunnel, in order. */
  asked: string[];
  /** `proxy-authorization` of the last request. */
  authorization: string | undefined;
  /** Tunnels to these targets are rejected with 403. */
  refused: Set<string>;
  /** Requests for these targets get no response: their connection is closed. */
  dropped: Set<string>;
  close(): Promise<void>;
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const proxy: ConnectProxy = {
    url: '',
    asked: [],
    authorization: undefined,
    refused: new Set(),
    dropped: new Set(),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const target = request.url ?? '';
    proxy.asked.push(target);
    proxy.authorization = request.headers['proxy-authorization'];
    client.on('error', () => {});
    if (proxy.dropped.has(target)) return void client.destroy();
    if (proxy.refused.has(target)) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const { hostname, port } = new URL(`http://${target}`);
    const upstream = connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    client.once('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
