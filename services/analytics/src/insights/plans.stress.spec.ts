// Real: Postgres with a year of rollups of one tenant, those of 500 others, and 200,000 outcomes. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BREAKDOWN_MAX } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import { startAnalytics, type AnalyticsHarness } from '../test/analytics-harness.js';
import { readsOf } from '../test/query-plan.js';
import { lastDays, windowOf } from './periods.domain.js';
import { HistoryStore } from './history.store.js';
import { InsightStore } from './insight.store.js';

const TENANT = '01938a00-0000-7000-8000-00000000000a';
const BUCKETS = 150;
const SPACES = 5_000;
const now = new Date();
const first = (days: number) => lastDays(days, now)[0] ?? '';

describe('what endpoints read, beside other tenants and a year of history', () => {
  let kiln: AnalyticsHarness;
  beforeAll(async () => {
    kiln = await startAnalytics();
    const tenants = `select '${TENANT}'::uuid as tenant_id union all select gen_random_uuid() from generate_series(1, 500)`;
    await kiln.sql(`insert into tenant_totals (tenant_id, completed) select tenant_id, 1 from (${tenants}) t`);
    await kiln.sql(
      `insert into space_totals (tenant_id, space, files) select $1, 'space-' || n, n from generate_series(1, ${SPACES}) n`,
      [TENANT],
    );
    await kiln.sql(
      `insert into type_totals (tenant_id, content_type, files) select tenant_id, 'text/' || n, n
       from tenant_totals, generate_series(1, 20) n`,
    );
    const periods = `cross join (select grain, at as starts_at from (values ('hour', 400), ('day', 400), ('month', 14)) as g (grain, count),
      generate_series(date_trunc(grain, now(), 'UTC') - count * ('1 ' || grain)::interval, now(), ('1 ' || grain)::interval) at) p`;
    const some = '(select tenant_id from tenant_totals order by tenant_id limit 20) t';
    await kiln.sql(`insert into activity (tenant_id, grain, starts_at, uploads)
      select tenant_id, grain, starts_at, 1 from tenant_totals ${periods} where grain <> 'month'`);
    await kiln.sql(`insert into provider_activity (tenant_id, grain, starts_at, provider, completed)
      select tenant_id, grain, starts_at, 'p' || n, 1 from ${some} ${periods}, generate_series(1, 3) n where grain <> 'month'`);
    await kiln.sql(`insert into run_durations (tenant_id, grain, starts_at, buckets, runs)
      select tenant_id, grain, starts_at, array(select generate_series(1, ${BUCKETS})), array_fill(1, array[${BUCKETS}])
      from ${some} ${periods}`);
    await kiln.sql(`insert into job_outcomes (tenant_id, file_id, job_id, fence, status, ended_at, is_latest)
      select '${TENANT}', gen_random_uuid(), gen_random_uuid(), 1, case when n % 3 = 0 then 'failed' else 'completed' end,
        now() - n * interval '1 minute', n % 2 = 0
      from generate_series(1, 200000) n`);
    await kiln.sql('vacuum analyze');
  });
  afterAll(() => kiln.close());

  const insights = (use: (store: InsightStore) => Promise<unknown>) => (on: Database) =>
    use(new InsightStore(on.dataSource.manager));
  const history = (use: (store: HistoryStore) => Promise<unknown>) => (on: Database) =>
    use(new HistoryStore(on, on.dataSource.manager));
  /** 12 months, the days of two months, and the hours of a day. */
  const PERIODS_MAX = 12 + 62 + 24;

  it.each<[string, (on: Database) => Promise<unknown>, string[], number]>([
    ['the overview', insights((store) => store.totals(TENANT)), ['tenant_totals'], 1],
    ['file-types', insights((store) => store.types(TENANT)), ['type_totals'], 20],
    ['spaces', insights((store) => store.spaces(TENANT)), ['space_totals'], BREAKDOWN_MAX],
    ['top-failures', insights((store) => store.reasons(TENANT, 10)), ['failure_reasons'], 10],
    ['failures', insights((store) => store.failures(TENANT, 20)), ['job_outcomes'], 20],
    ['volume and trends', history((store) => store.days(TENANT, first(365))), ['activity'], 365],
    ['storage-growth', history((store) => store.storedBytes(TENANT, first(365))), ['activity', 'tenant_totals'], 366],
    ['providers', history((store) => store.providers(TENANT, windowOf(365, now))), ['provider_activity'], 3 * 390],
    [
      'processing',
      history((store) => store.processing(TENANT, windowOf(365, now))),
      ['provider_activity', 'run_durations'],
      3 * 390 + PERIODS_MAX,
    ],
  ])('%s: one statement, by an index, and only rows that it shows or adds up', async (_, use, tables, rowsMax) => {
    const reads = await readsOf(kiln, use);
    expect(reads.statements).toBe(1);
    expect(reads.scanned).toStrictEqual([]);
    expect(reads.tables).toStrictEqual(tables);
    expect(reads.rows).toBeLessThanOrEqual(rowsMax);
  });
});
