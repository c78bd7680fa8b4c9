/** The receiver of webhooks on loopback. It accepts each delivery. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Receiver {
  readonly port: number;
  /** For each file, the ids of its events and when each arrived first, by `performance.now()`. */
  readonly events: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly close: () => void;
}

export async function startReceiver(): Promise<Receiver> {
  const events = new Map<string, Map<string, number>>();
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const { id, data } = JSON.parse(body) as { id: string; data: { file_id: string } };
        const ofFile = events.get(data.file_id) ?? new Map<string, number>();
        if (!ofFile.has(id)) ofFile.set(id, performance.now());
        events.set(data.file_id, ofFile);
        return response.writeHead(204).end();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    events,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
