// Connections that break at the worst moment.
import { once } from 'node:events';
import { request as send } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy {
  url: string;
  /** How many connections were cut. */
  cuts: number;
  /** The next response is cut: the server has done the work, and the client does not learn it. */
  cutNextResponse(): void;
  /** Cuts all open connections. */
  cutAll(): void;
  /** While it is away, it cuts every connection, new ones too. */
  setAway(isAway: boolean): void;
  close(): Promise<void>;
}

/** Forwards connections to a server. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let cutsNext = false;
  let isAway = false;
  const server = createServer((client) => {
    if (isAway) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      if (!cutsNext) return void client.write(bytes);
      cutsNext = false;
      proxy.cuts += 1;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: 0,
    cutNextResponse: () => (cutsNext = true),
    cutAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    setAway: (next) => {
      isAway = next;
      if (isAway) proxy.cutAll();
    },
    close: async () => {
      proxy.cutAll();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** Sends the first half of a body of `size` bytes with PUT, and then breaks the connection. */
export async function sendHalf(url: string, headers: Record<string, string>, size: number): Promise<void> {
  const request = send(url, { method: 'PUT', headers: { ...headers, 'content-length': String(size) } });
  request.on('error', () => {});
  await new Promise<void>((resolve) => request.write(Buffer.alloc(size / 2), () => resolve()));
  // The broken connection is an error, which `once` would throw.
  const closed = new Promise((resolve) => request.once('close', resolve));
  request.destroy();
  await closed;
}
