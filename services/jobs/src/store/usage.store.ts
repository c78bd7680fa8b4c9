// Pages used, month by month. A month is the database's, in UTC. Runs that complete add rows, which are summed up later.
import { statement, type Queryable } from '@kiln/platform';

const HUNDREDTHS_PER_PAGE = 100;

/** SQL: the first day of the month. */
const PERIOD = `date_trunc('month', now() at time zone 'utc')::date`;

/**
 * The insert that belongs into every statement that completes runs: that happens once, so it counts once. `source` holds their
 * rows of `jobs` after the change. An entry stands for all runs of its tenant in the statement, and bears the name of one of
 * them. Test planes use nothing.
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
/** Found by their place, one after the other; totals in the order of tenants, so that two of these never wait for each other. */
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

export class UsageStore {
  constructor(private readonly database: Queryable) {}

  /** This month's. */
  async find(liveTenantId: string): Promise<{ period: string; pagesUsed: number }> {
    const [row] = await this.database.query<{ period: string; hundredths: number }>(find, [liveTenantId]);
    if (!row) throw new Error('a sum has a row');
    return { period: row.period, pagesUsed: row.hundredths / HUNDREDTHS_PER_PAGE };
  }

  /** Adds up to `limit` entries to their totals; answers how many. Whoever reads sees them before or after, never twice. */
  async sumUp(limit: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(sumUp, [limit]);
    return row?.count ?? 0;
  }
}
