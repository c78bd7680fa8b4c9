// The webhook endpoint of the bench: records when the completion of each file was delivered.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Delivered {
  data: { file_id: string };
}

export interface Deliveries {
  url: string;
  /** The arrival time of the file's webhook by `performance.now()`, if it has arrived. */
  arrival(fileId: string): Promise<number>;
  close(): void;
}

export async function receiveDeliveries(): Promise<Deliveries> {
  const arrivals = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const at = performance.now();
    void text(request).then((body) => {
      const { file_id: fileId } = (JSON.parse(body) as Delivered).data;
      if (!arrivals.has(fileId)) arrivals.set(fileId, at);
      waiting.get(fileId)?.(at);
      return response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrival: (fileId) => {
      const at = arrivals.get(fileId);
      if (at !== undefined) return Promise.resolve(at);
      return new Promise((resolve) => waiting.set(fileId, resolve));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
