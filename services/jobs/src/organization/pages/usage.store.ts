// Pages used, by month in UTC, by the clock of the database. Each completed run adds an entry; entries are summed up later.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

const HUNDREDTHS_PER_PAGE = 100;

/** SQL: the first day of the month. */
const PERIOD = `date_trunc('month', now() at time zone 'utc')::date`;

/**
 * SQL: the insert that every statement that completes runs contains. A run completes once, so it counts once. `source` has their rows of `jobs`
 * after the change. One entry sums up all runs of its tenant in the statement, under the id of one of them. Test mode uses no pages.
 */
export const logUsage = (source: string) =>
  `insert into usage_entries (tenant_id, period, job_id, fence, hundredths)
   select tenant_id, ${PERIOD}, (array_agg(id))[1], (array_agg(fence))[1], sum(page_hundredths) from ${source}
   where mode_of_tenant(tenant_id) = 'live' group by tenant_id`;

/** SQL: hundredths of pages that `tenant`, an SQL expression, has used this month. */
export const usedHundredths = (tenant: string) =>
  `(coalesce((select t.hundredths from usage_totals t where t.tenant_id = ${tenant} and t.period = ${PERIOD}), 0)
    + coalesce((select sum(e.hundredths)::bigint from usage_entries e where e.tenant_id = ${tenant} and e.period = ${PERIOD}), 0))`;

const find = statement(
  'usage.find',
  `select to_char(${PERIOD}, 'YYYY-MM') as period, ${usedHundredths('$1::uuid')} as hundredths`,
);
/** Deletes entries by their physical location. Totals are locked in the order of tenants, which prevents deadlocks. */
const sumUp = statement(
  'usage.sum_up',
  `with summed as (
     delete from usage_entries where ctid = any (array (select ctid from usage_entries limit $1 for update skip locked))
     returning tenant_id, period, hundredths
   ), totals as (
     insert into usage_totals as t (tenant_id, period, hundredths)
     select tenant_id, period, sum(hundredths) from summed group by tenant_id, period order by tenant_id, period
     on conflict (tenant_id, period) do update set hundredths = t.hundredths + excluded.hundredths
   )
   select count(*)::int as count from summed`,
);

@Injectable()
export class UsageStore {
  constructor(private readonly database: Database) {}

  /** The usage of this month. */
  async find(liveTenantId: string): Promise<{ period: string; pagesUsed: number }> {
    const [row] = await this.database.query<{ period: string; hundredths: number }>(find, [liveTenantId]);
    if (!row) throw new Error('a sum has a row');
    return { period: row.period, pagesUsed: row.hundredths / HUNDREDTHS_PER_PAGE };
  }

  /** Adds up to `limit` entries to the totals. Returns how many. A concurrent reader counts each entry once. */
  async sumUp(limit: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(sumUp, [limit]);
    return row?.count ?? 0;
  }
}
