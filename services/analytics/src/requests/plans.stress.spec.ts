// Real: Postgres with 300,000 entries of one tenant and 100,000 of others, over seven days. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAnalytics, type AnalyticsHarness } from '../test/analytics-harness.js';
import { readsOf } from '../test/query-plan.js';
import { firstIdOf, keptSince, LAST_ID } from './log-days.domain.js';
import { EXAMINED_MAX, RequestLogStore, type Filters } from './request-log.store.js';

const TENANT = '01938a00-0000-7000-8000-00000000000a';
const LIMIT = 51;

describe('a page of the request log, among 400,000 entries', () => {
  let kiln: AnalyticsHarness;
  beforeAll(async () => {
    kiln = await startAnalytics();
    const insert = (tenant: string, count: number) => `
      insert into logged_requests
      select ${tenant}, (left(uuid_floor(now() - make_interval(secs => n * 600000.0 / ${count}))::text, 14) || '7'
          || right(gen_random_uuid()::text, 21))::uuid, 'r',
        case when n % 1000 = 0 then 'DELETE' when n % 3 = 0 then 'POST' else 'GET' end,
        case when n % 5000 = 0 then '/v1/webhooks/' else '/v1/files/' end || n,
        case when n % 2000 = 7 then 500 when n % 50 = 0 then 404 else 200 end,
        case when n % 10000 = 0 then 'jwt' else 'api_key' end,
        case when n % 3000 = 0 then 'nightly' else 'production' end, 1, now()
      from generate_series(1, ${count}) n`;
    await kiln.sql(insert(`'${TENANT}'::uuid`, 300_000));
    await kiln.sql(insert('gen_random_uuid()', 100_000));
    await kiln.sql('analyze logged_requests');
  });
  afterAll(() => kiln.close());

  const range = { from: firstIdOf(keptSince(new Date())), to: LAST_ID };
  const readsWith = (filters: Filters, given = range) =>
    readsOf(kiln, (on) => new RequestLogStore(on).page({ tenantId: TENANT, filters, range: given, limit: LIMIT }));

  it.each<[string, Filters, number]>([
    ['nothing', {}, 2 * LIMIT],
    ['a common status', { status: 200 }, 2 * LIMIT],
    ['a rare status', { status: 500 }, 2 * LIMIT],
    ['a method', { method: 'DELETE' }, 2 * LIMIT],
    ['an auth type', { auth_type: 'jwt' }, 2 * LIMIT],
    ['a key', { key_name: 'nightly' }, 2 * LIMIT],
    // Each match is read from the index of the path, and then by its id.
    ['the path of 60 entries', { path: '/v1/webhooks/' }, 2 * 60],
    // The store reads 2,001 entries to find that there are many. Then one in 6 matches.
    ['a path of most entries, and a method', { path: '/v1/files', method: 'POST' }, 2_001 + 2 * LIMIT],
    ['a status and a method', { status: 404, method: 'POST' }, 4 * LIMIT],
  ])('filtered by %s reads little more than it shows, by an index', async (_, filters, rowsMax) => {
    const reads = await readsWith(filters);
    expect(reads.scanned).toStrictEqual([]);
    expect(reads.rows).toBeLessThanOrEqual(rowsMax);
  });

  it('in the middle of the log reads as much as the first one', async () => {
    const to = firstIdOf(new Date(Date.now() - 3 * 86_400_000));
    expect((await readsWith({ status: 200 }, { ...range, to })).rows).toBeLessThanOrEqual(2 * LIMIT);
  });

  it('that matches nothing examines a bounded number of entries', async () => {
    const reads = await readsWith({ status: 200, auth_type: 'jwt', method: 'PATCH' });
    expect(reads.rows).toBeLessThanOrEqual(2.1 * EXAMINED_MAX);
  });
});
