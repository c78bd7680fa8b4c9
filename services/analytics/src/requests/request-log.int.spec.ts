// Real: Postgres. Faked: the clock.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  encodeId,
  gatewayEvents,
  testTenantOf,
  type LoggedRequest,
  type OperationInput,
  type analyticsOperations,
} from '@kiln/contracts';
import type { Statement } from '@kiln/platform';
import { eventually, FakeClock } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, eventOf, silentLogger, startAnalytics, type AnalyticsHarness } from '../test/analytics-harness.js';
import { ListRequests } from './list-requests.usecase.js';
import { PartitionWorker } from './partition.worker.js';
import { EXAMINED_MAX, RequestLogStore } from './request-log.store.js';

type Query = Partial<OperationInput<(typeof analyticsOperations)['listRequests']>>;

const MINUTE_MS = 60_000;

describe('the request log', () => {
  let kiln: AnalyticsHarness;
  beforeAll(async () => {
    kiln = await startAnalytics();
  });
  afterAll(() => kiln.close());

  let made = 0;
  /** A request, a millisecond after the one before. */
  function request(given: Partial<LoggedRequest> = {}, time = Date.now() - MINUTE_MS + made++): LoggedRequest {
    return {
      id: encodeId('log', uuidv7({ msecs: time })),
      request_id: 'r',
      method: 'GET',
      path: '/v1/files',
      status: 200,
      auth_type: 'api_key',
      key_name: 'production',
      duration_ms: 1.5,
      created_at: new Date(time).toISOString(),
      ...given,
    };
  }
  const eventFor = (tenantId: string, requests: LoggedRequest[]) =>
    eventOf(gatewayEvents.requestsLogged, tenantId, { requests });
  const record = (tenantId: string, ...requests: LoggedRequest[]) =>
    kiln.recordRequests.execute([eventFor(tenantId, requests)]);
  const list = (tenantId: string, query: Query = {}) =>
    kiln.listRequests.execute({ limit: 50, ...query }, contextOf(tenantId));
  const paths = async (tenantId: string, query: Query = {}) =>
    (await list(tenantId, query)).logs.map(({ path }) => path);
  async function allPaths(tenantId: string, query: Query) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(tenantId, { ...query, cursor });
      seen.push(...page.logs.map(({ path }) => path));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return seen;
  }

  it('shows an entry as the gateway has sent it, once however often its event arrives', async () => {
    const tenantId = uuidv7();
    const entry = request({ method: 'POST', status: 201, duration_ms: 12.3, request_id: 'abc' });
    const event = eventFor(tenantId, [entry]);
    await kiln.recordRequests.execute([event, event]);
    await kiln.recordRequests.execute([event]);
    const { logs } = await list(tenantId);
    expect(logs).toStrictEqual([{ ...entry, created_at: entry.created_at.slice(0, 19).replace('T', ' ') }]);
  });

  it('keeps the entries of both modes of an organization apart', async () => {
    const live = uuidv7();
    await record(live, request({ path: '/live' }));
    await record(testTenantOf(live), request({ path: '/test' }));
    expect([await paths(live), await paths(testTenantOf(live))]).toStrictEqual([['/live'], ['/test']]);
  });

  it('is filtered by method, status, path, auth type, key and time, also by all of them at once', async () => {
    const tenantId = uuidv7();
    const since = new Date(Date.now() - 10 * MINUTE_MS);
    const until = new Date(Date.now() - 8 * MINUTE_MS);
    const wanted: Partial<LoggedRequest> = { method: 'DELETE', status: 404, auth_type: 'jwt', key_name: 'ops' };
    const match = request({ ...wanted, path: '/v1/jobs/1' }, since.getTime());
    const others = [
      request({ ...wanted, path: '/v1/jobs/2', method: 'GET' }, since.getTime() + 1),
      request({ ...wanted, path: '/v1/jobs/3', status: 200 }, since.getTime() + 2),
      request({ ...wanted, path: '/v1/jo_s' }, since.getTime() + 3),
      request({ ...wanted, path: '/v1/jobs/4', auth_type: 'api_key' }, since.getTime() + 4),
      request({ ...wanted, path: '/v1/jobs/5', key_name: 'Ops' }, since.getTime() + 5),
      request({ ...wanted, path: '/v1/jobs/6' }, since.getTime() - 1),
      request({ ...wanted, path: '/v1/jobs/7' }, until.getTime()),
    ];
    await record(tenantId, ...others, match);
    const window = { since: since.toISOString(), until: until.toISOString() };
    const query = { method: 'DELETE', status: 404, path: '/v1/jobs', auth_type: 'jwt', key_name: 'ops' } as const;
    expect(await paths(tenantId, { ...query, ...window })).toStrictEqual(['/v1/jobs/1']);
    expect((await paths(tenantId, query)).toSorted()).toStrictEqual(['/v1/jobs/1', '/v1/jobs/6', '/v1/jobs/7']);
    expect(await paths(tenantId, { method: 'GET' })).toStrictEqual(['/v1/jobs/2']);
    expect(await paths(tenantId, { status: 200 })).toStrictEqual(['/v1/jobs/3']);
    expect(await paths(tenantId, { path: '/v1/jo_' })).toStrictEqual(['/v1/jo_s']);
    expect(await paths(tenantId, { auth_type: 'api_key' })).toStrictEqual(['/v1/jobs/4']);
    expect(await paths(tenantId, { key_name: 'Ops' })).toStrictEqual(['/v1/jobs/5']);
  });

  it('shows each entry exactly once, newest first, while entries are added', async () => {
    const tenantId = uuidv7();
    const present = Array.from({ length: 25 }, (_, index) => request({ path: `/${index}` }));
    await record(tenantId, ...present);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(tenantId, { limit: 4, cursor });
      seen.push(...page.logs.map(({ path }) => path));
      cursor = page.next_cursor ?? undefined;
      await record(tenantId, request({ path: '/new' }, Date.now()));
    } while (cursor !== undefined);
    expect(seen).toStrictEqual(present.map(({ path }) => path).toReversed());
  });

  it('finds entries that filters rarely select together, and examines a bounded number for each page', async () => {
    const tenantId = uuidv7();
    await kiln.sql(
      `insert into logged_requests
       select $1, (left(uuid_floor(now() - make_interval(secs => n * 0.01))::text, 14) || '7' || right(gen_random_uuid()::text, 21))::uuid,
         'r', case when n % 2 = 0 then 'GET' else 'POST' end, case when n = 45000 then '/v1/jobs/rare' else '/v1/jobs/' || n end,
         case when n % 2 = 0 and n <> 44000 then 200 else 409 end, 'api_key', 'k', 1, now()
       from generate_series(1, 50000) n`,
      [tenantId],
    );
    const page = await list(tenantId, { method: 'GET', status: 409 });
    expect([page.logs, typeof page.next_cursor]).toStrictEqual([[], 'string']);
    expect(await allPaths(tenantId, { method: 'GET', status: 409 })).toStrictEqual(['/v1/jobs/44000']);
    expect(await paths(tenantId, { path: '/v1/jobs/rare' })).toStrictEqual(['/v1/jobs/rare']);
    expect(await paths(tenantId, { path: '/v1/jobs', limit: 2 })).toStrictEqual(['/v1/jobs/1', '/v1/jobs/2']);
    expect(EXAMINED_MAX).toBeLessThan(25_000);
  });

  it('shows an entry once, although others are recorded between the two statements of a page', async () => {
    const tenantId = uuidv7();
    await kiln.sql(
      `insert into logged_requests
       select $1, (left(uuid_floor(now() - make_interval(secs => n * 0.01))::text, 14) || '7' || right(gen_random_uuid()::text, 21))::uuid,
         'r', 'GET', '/' || n, 200, case when n in (19999, 20001) then 'jwt' else 'api_key' end, 'k', 1, now()
       from generate_series(1, 20001) n`,
      [tenantId],
    );
    const query = kiln.database.query.bind(kiln.database);
    const database = Object.create(kiln.database) as typeof kiln.database;
    database.query = async <Row extends object>(given: Statement, values?: unknown[]) => {
      if (given.name.startsWith('requests.last_examined')) await record(tenantId, request(), request(), request());
      return query<Row>(given, values);
    };
    const log = new ListRequests(new RequestLogStore(database));
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const filters = { method: 'GET', auth_type: 'jwt' } as const;
      const page = await log.execute({ limit: 50, ...filters, cursor }, contextOf(tenantId));
      seen.push(...page.logs.map(({ path }) => path));
      cursor = page.next_cursor;
    }
    expect(seen).toStrictEqual(['/19999', '/20001']);
  });

  it('refuses a cursor of another tenant', async () => {
    const tenantId = uuidv7();
    await record(tenantId, request(), request());
    const { next_cursor: cursor } = await list(tenantId, { limit: 1 });
    await expect(list(uuidv7(), { cursor: cursor ?? '' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('stores text that Postgres cannot store in a readable form', async () => {
    const tenantId = uuidv7();
    await record(tenantId, request({ key_name: 'a\0b\ud800' }));
    expect((await list(tenantId)).logs.map(({ key_name: name }) => name)).toStrictEqual(['a\ufffdb\ufffd']);
  });

  it('keeps entries for 7 days, and drops them by the day', async () => {
    const tenantId = uuidv7();
    const noon = new Date(new Date().setUTCHours(12, 0, 0, 0));
    const clock = new FakeClock(noon);
    // A vacuum of a partition delays its drop.
    const worker = new PartitionWorker(kiln.partitions, silentLogger, () => clock.now());
    const event = eventFor(tenantId, [request({}, noon.getTime() - 1)]);
    const context = contextOf(tenantId);
    const visible = async () => (await kiln.listRequests.execute({ limit: 50 }, context, clock.now())).logs.length;
    const stored = async () =>
      (await kiln.sql('select 1 from logged_requests where tenant_id = $1', [tenantId])).length;
    await kiln.recordRequests.execute([event], noon);
    clock.advance({ days: 6 });
    await eventually(() => worker.keep());
    expect([await visible(), await stored()]).toStrictEqual([1, 1]);
    clock.advance({ days: 1 });
    await eventually(() => worker.keep());
    // The day still has entries that are less than 7 days old.
    expect([await visible(), await stored()]).toStrictEqual([0, 1]);
    clock.advance({ days: 1 });
    await eventually(() => worker.keep());
    expect([await visible(), await stored()]).toStrictEqual([0, 0]);
    // An entry that is delivered after its day was dropped is left out.
    await kiln.recordRequests.execute([event], clock.now());
    expect(await stored()).toBe(0);
  });

  it('has a partition for two weeks ahead, made once by however many processes at once', async () => {
    const clock = new FakeClock(new Date(Date.now() + 40 * 86_400_000));
    const workers = [1, 2, 3].map(() => new PartitionWorker(kiln.partitions, silentLogger, () => clock.now()));
    await Promise.all(workers.map((worker) => eventually(() => worker.keep())));
    const rows = await kiln.sql<{ name: string }>(
      `select relname as name from pg_class where relispartition and relkind = 'r' order by relname`,
    );
    const dayOf = (days: number) =>
      new Date(clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    expect(rows.map(({ name }) => name)).toStrictEqual(
      Array.from({ length: 22 }, (_, index) => `logged_requests_${dayOf(index - 7)}`),
    );
  });
});
