// The way to the object store, with a watch beside it. What was signed passes as it is, the host as well.
import { encodeId } from '@kiln/contracts';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Watch } from './watch.js';

export interface WatchedStore {
  url: string;
  close(): Promise<void>;
}

interface Answer {
  head: IncomingMessage;
  body: Buffer;
}

/** The whole answer to a small request. */
async function forward(endpoint: string, incoming: IncomingMessage): Promise<Answer> {
  const { method, url, headers } = incoming;
  const outgoing = request(new URL(url ?? '/', endpoint), { method, headers, setHost: false });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  const [[head]] = await Promise.all([answered, pipeline(incoming, outgoing)]);
  return { head, body: await buffer(head) };
}

/** `jobOf` is the job that works at a file (its uuid): the key of its bytes doesn't name one. */
export async function openWatchedStore(
  endpoint: string,
  watch: Watch,
  jobOf: (fileId: string) => string,
): Promise<WatchedStore> {
  const answerTo = (incoming: IncomingMessage): Promise<Answer> => {
    const [, , , fileId = '', ...rest] = new URL(incoming.url ?? '/', endpoint).pathname.split('/');
    const [jobId, , name] = rest.length === 3 ? rest : [jobOf(fileId), '', rest[0]];
    if (!jobId || !name || !/^(GET|PUT)$/.test(incoming.method ?? '')) return forward(endpoint, incoming);
    const effect = `${incoming.method} ${name}`;
    return watch.around(encodeId('job', jobId), effect, () => forward(endpoint, incoming));
  };
  const server = createServer((incoming, outgoing) => {
    answerTo(incoming).then(
      ({ head, body }) => outgoing.writeHead(head.statusCode ?? 500, head.headers).end(body),
      () => outgoing.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
