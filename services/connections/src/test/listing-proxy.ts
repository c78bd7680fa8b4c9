// A proxy between a worker and a bucket. It passes requests on, Host header included, so that signatures hold, and can delay a listing.
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListingProxy {
  url: string;
  /** The token, or the key before, of each requested page since the last call of `holdAt` or `letGo`. Requests for one or two keys are left out. */
  listed: string[];
  /** Delays a listing: the next one is 0. */
  holdAt(page: number): void;
  isHeld(): boolean;
  /** Delays nothing more. The delayed request stays unanswered: it belongs to a dead worker. */
  letGo(): void;
  close(): void;
}

export async function startListingProxy(target: string): Promise<ListingProxy> {
  const listed: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let heldPage: number | null = null;
  let isHeld = false;
  const server: Server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const { searchParams } = new URL(url, target);
    const isPage = searchParams.get('list-type') === '2' && Number(searchParams.get('max-keys')) > 2;
    if (isPage && !searchParams.has('delimiter')) {
      listed.push(searchParams.get('continuation-token') ?? searchParams.get('start-after') ?? '');
      if (listed.length - 1 === heldPage) return void (isHeld = true);
    }
    const passed = request(new URL(url, target), { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hold = (page: number | null) => {
    [heldPage, isHeld] = [page, false];
    listed.length = 0;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    listed,
    holdAt: hold,
    isHeld: () => isHeld,
    letGo: () => hold(null),
    close: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
