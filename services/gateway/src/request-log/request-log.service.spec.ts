import { describe, expect, it } from '@jest/globals';
import { CodedError, LOGGED_REQUESTS_MAX, type LoggedRequest } from '@kiln/contracts';
import { createLogger } from '@kiln/platform';
import { RequestLog, type FinishedRequest } from './request-log.service.js';

const logger = createLogger({ service: 'test', role: 'all', level: 'silent' });
const countedBy = (add: (entries: number) => void) => ({ counter: () => ({ add }) as never });
const requester = (tenantId: string) => ({ tenantId, authType: 'api_key' as const, keyName: 'k' });
const request = (given: Partial<FinishedRequest> = {}): FinishedRequest => ({
  requester: requester('a'),
  request_id: 'r',
  method: 'GET',
  path: '/v1/files',
  status: 200,
  duration_ms: 1,
  ...given,
});

describe('the request log', () => {
  function sample() {
    const sent: { tenantId: string; requests: LoggedRequest[] }[] = [];
    const broker = { away: false };
    let dropped = 0;
    const log = new RequestLog({
      keys: {
        findKnown: async (hashes) =>
          hashes.filter((hash) => hash[0] === 1).map((hash) => ({ hash, requester: requester('of the key') })),
      },
      publisher: {
        publish: async ({ tenantId, data }) => {
          if (broker.away) throw new CodedError('UNAVAILABLE', 'away');
          sent.push({ tenantId, requests: (data as { requests: LoggedRequest[] }).requests });
        },
      },
      metrics: countedBy((entries) => (dropped += entries)),
      logger,
    });
    return { log, sent, broker, dropped: () => dropped };
  }

  it('sends an event per tenant, in bounded batches', async () => {
    const { log, sent } = sample();
    for (let index = 0; index <= LOGGED_REQUESTS_MAX; index++) log.add(request());
    log.add(request({ requester: requester('b') }));
    await log.flush();
    expect(sent.map(({ tenantId, requests }) => [tenantId, requests.length])).toStrictEqual([
      ['a', LOGGED_REQUESTS_MAX],
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('sends the events of many tenants at the same time, up to 32', async () => {
    let [waiting, most] = [0, 0];
    const log = new RequestLog({
      keys: { findKnown: async () => [] },
      publisher: {
        publish: async () => {
          most = Math.max(most, ++waiting);
          await new Promise(setImmediate);
          waiting--;
        },
      },
      metrics: countedBy(() => undefined),
      logger,
    });
    for (let tenant = 0; tenant < 100; tenant++) log.add(request({ requester: requester(`${tenant}`) }));
    await log.flush();
    expect([waiting, most]).toStrictEqual([0, 32]);
  });

  it('logs a refused key under its owner if it is known, and not at all otherwise', async () => {
    const { log, sent } = sample();
    for (const first of [1, 2]) log.add(request({ status: 401, requester: { keyHash: Buffer.alloc(32, first) } }));
    await log.flush();
    expect(sent.map(({ tenantId, requests }) => [tenantId, requests[0]?.status, requests.length])).toStrictEqual([
      ['of the key', 401, 1],
    ]);
  });

  it('sends later, under the same ids, what the broker did not take', async () => {
    const { log, sent, broker } = sample();
    broker.away = true;
    log.add(request());
    await log.flush();
    broker.away = false;
    log.add(request({ path: '/v1/jobs' }));
    await log.stop();
    expect(sent.flatMap(({ requests }) => requests.map(({ path }) => path))).toStrictEqual(['/v1/files', '/v1/jobs']);
  });

  it('holds at most 10,000 entries, drops the oldest beyond that and counts them', async () => {
    const { log, sent, broker, dropped } = sample();
    broker.away = true;
    for (let index = 0; index < 10_005; index++) log.add(request({ path: `/${index}` }));
    await log.flush();
    expect(dropped()).toBe(5);
    broker.away = false;
    await log.flush();
    const paths = sent.flatMap(({ requests }) => requests.map(({ path }) => path));
    expect([paths.length, paths[0], paths.at(-1)]).toStrictEqual([10_000, '/5', '/10004']);
  });
});
