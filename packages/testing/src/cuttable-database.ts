// A TCP proxy to the database that a test can cut, to simulate a server restart or a broken network, or aim at another server.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttableDatabase {
  url: string;
  /** Closes all connections and rejects new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** New connections lead to this server. Open ones stay. */
  aim(databaseUrl: string): void;
}

export async function openCuttable(databaseUrl: string): Promise<CuttableDatabase> {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((inbound) => {
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
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const cut = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const aim = (other: string) => void (target = new URL(other));
  return { url: url.href, cut, mend: () => listen(port), aim };
}
