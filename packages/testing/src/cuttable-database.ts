// A TCP proxy to the database that a test can cut, to simulate a server restart or a broken network, or aim at another server.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttableDatabase {
  url: string;
  /** Closes all connections, and new ones at once. The port stays taken, so that no other process can get it meanwhile. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
  /** New connections lead to this server. Open ones stay. */
  aim(databaseUrl: string): void;
}

export async function openCuttable(databaseUrl: string): Promise<CuttableDatabase> {
  let target = new URL(databaseUrl);
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((inbound) => {
    if (isCut) {
      inbound.destroy();
      return;
    }
    const outbound = connect(Number(target.port), target.hostname);
    for (const socket of [inbound, outbound]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        inbound.destroy();
        outbound.destroy();
      });
    }
    inbound.pipe(outbound).pipe(inbound);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => void (isCut = false),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    aim: (other) => void (target = new URL(other)),
  };
}
