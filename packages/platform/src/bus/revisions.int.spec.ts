// Real: NATS. FAKES: services of this release and of the one before, as handlers.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { operation, streamingOperation, type Operation } from '@kiln/contracts';
import { z } from 'zod';
import { contextFor, count, counting, never, readAll, StreamingEnds } from '../fixtures/streaming-ends.js';
import { silentLogger } from '../fixtures/test-platform.js';
import { Metrics } from '../observability/metrics.js';
import { RpcClient } from './rpc-client.js';
import { RpcServer } from './rpc-server.js';

const before = operation({
  subject: 'sample.list.v1',
  input: z.object({ limit: z.int() }),
  output: z.object({ names: z.array(z.string()) }),
  errors: [],
  timeoutMs: 60_000,
  idempotent: true,
});
const input = z.object({ limit: z.int(), filter: z.string().optional() });
const now = operation({
  ...before,
  input,
  revision: 2,
  revisionOf: ({ filter }: z.input<typeof input>) => (filter === undefined ? 1 : 2),
});
const later = operation({ ...now, revision: 3, revisionOf: () => 3 });
const counted = streamingOperation({ ...count, revision: 2, revisionOf: ({ to }) => (to > 2 ? 2 : 1) });

describe('an option that a service of the release before does not know', () => {
  let ends: StreamingEnds;
  const servers: RpcServer[] = [];
  beforeEach(() => {
    ends = new StreamingEnds();
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.drain(0)));
    await ends.close();
  });

  async function serve(served: Operation) {
    const connection = await ends.connect();
    const metrics = new Metrics('sample', 'all');
    const server = new RpcServer({
      connection,
      namespace: ends.namespace,
      service: 'sample',
      logger: silentLogger,
      metrics,
    });
    servers.push(server);
    server.listen(served, async (given) => ({ names: [JSON.stringify(given)] }));
    await connection.flush();
  }
  const client = async () => new RpcClient(await ends.connect(), ends.namespace);

  it('is never ignored: its call fails with UNAVAILABLE, and calls without it succeed', async () => {
    await serve(before);
    const caller = await client();
    expect(await caller.call(now, { limit: 1 }, contextFor())).toStrictEqual({ names: ['{"limit":1}'] });
    const refused = caller.call(now, { limit: 1, filter: 'mine' }, contextFor());
    await expect(refused).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'This option of the sample service is not available right now. Retry in a moment.',
    });
  });

  it('is answered by a service of this release, also for a caller of the one before', async () => {
    await serve(now);
    const caller = await client();
    const names = ['{"limit":1,"filter":"mine"}'];
    expect(await caller.call(now, { limit: 1, filter: 'mine' }, contextFor())).toStrictEqual({ names });
    expect(await caller.call(before, { limit: 2 }, contextFor())).toStrictEqual({ names: ['{"limit":2}'] });
    await expect(caller.call(later, { limit: 1 }, contextFor())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('of a stream fails the same, before its first item', async () => {
    await ends.serve(counting);
    const { client: caller } = await ends.startClient();
    expect((await readAll(caller.stream(counted, { to: 2 }, contextFor(), never()))).items).toHaveLength(2);
    const refused = readAll(caller.stream(counted, { to: 3 }, contextFor(), never()));
    await expect(refused).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('of a stream is answered by a service of this release', async () => {
    await ends.serve(counting, undefined, counted);
    const { client: caller } = await ends.startClient();
    expect((await readAll(caller.stream(counted, { to: 3 }, contextFor(), never()))).items).toHaveLength(3);
  });
});
