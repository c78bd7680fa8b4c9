// The history of the last days, read from the rollups of periods by one statement each.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { EntityManager, MoreThanOrEqual } from 'typeorm';
import { ActivityEntity } from '../rollups/activity.entity.js';
import type { Window } from './periods.domain.js';

export interface ProviderTotals {
  provider: string;
  completed: number;
  failed: number;
  /** The mean over completed runs. 0 if there are none. */
  avg_ms: number;
}

/** Buckets of the quantiles. Null if there are no durations. */
export interface Quantiles {
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

export interface DailyTimes extends Quantiles {
  day: Date;
  runs: number;
}

/** A join: the bytes of all files now, and what each day has added to them. */
const storedBytes = statement(
  'history.stored_bytes',
  `select t.size_bytes, a.starts_at as day, a.stored_bytes
   from tenant_totals t left join activity a on a.tenant_id = t.tenant_id and a.grain = 'day' and a.starts_at >= $2
   where t.tenant_id = $1`,
);

/** SQL: selects the rows of a rollup in the window: hours from $2, days from $3, and months from $4 if the rollup has months. */
const inWindow = (table: string, columns: string, hasMonths: boolean) =>
  [
    `select ${columns} from ${table} where tenant_id = $1 and grain = 'hour' and starts_at >= $2 and starts_at < $3`,
    `select ${columns} from ${table} where tenant_id = $1 and grain = 'day' and starts_at >= $3${hasMonths ? ' and starts_at < $4' : ''}`,
    ...(hasMonths
      ? [`select ${columns} from ${table} where tenant_id = $1 and grain = 'month' and starts_at >= $4`]
      : []),
  ].join(' union all ');

const PROVIDERS = `select provider, sum(completed)::bigint as completed, sum(failed)::bigint as failed,
    coalesce(sum(duration_ms) / nullif(sum(completed), 0), 0)::float8 as avg_ms
  from (${inWindow('provider_activity', 'provider, completed, failed, duration_ms', false)}) periods
  group by provider order by provider`;
/** Aggregates a rollup over the window. */
const providers = statement('history.providers', PROVIDERS);
/**
 * SQL: the quantiles of rows with `bucket`, `up_to` and `total`. A quantile q is the least duration that a share of at least q of the runs does not
 * exceed (nearest rank).
 */
const QUANTILES = [50, 95, 99]
  .map((percent) => `min(bucket) filter (where up_to >= 0.${percent} * total) as p${percent}`)
  .join(', ');
/** Aggregates a rollup by day. */
const dailyTimes = statement(
  'history.daily_times',
  `with counts as (
     select d.starts_at, h.bucket, sum(h.runs) as runs from run_durations d, unnest(d.buckets, d.runs) as h (bucket, runs)
     where d.tenant_id = $1 and d.grain = 'day' and d.starts_at >= $2
     group by d.starts_at, h.bucket
   ), ranked as (
     select starts_at, bucket, sum(runs) over (partition by starts_at order by bucket) as up_to,
       sum(runs) over (partition by starts_at) as total
     from counts
   )
   select starts_at as day, ${QUANTILES}, max(total)::bigint as runs from ranked group by starts_at`,
);
/** Aggregates two rollups. */
const processing = statement(
  'history.processing',
  `with counts as (
     select h.bucket, sum(h.runs) as runs
     from (${inWindow('run_durations', 'buckets, runs', true)}) periods, unnest(periods.buckets, periods.runs) as h (bucket, runs)
     group by h.bucket
   ), ranked as (
     select bucket, sum(runs) over (order by bucket) as up_to, sum(runs) over () as total from counts
   ), providers as (${PROVIDERS})
   select ${QUANTILES},
     (select coalesce(json_agg(p order by p.provider), '[]') from providers p) as providers
   from ranked`,
);

const startOf = (date: string) => new Date(`${date}T00:00:00Z`);

@Injectable()
export class HistoryStore {
  constructor(
    private readonly database: Database,
    private readonly manager: EntityManager,
  ) {}

  /** The days since `first` on which something happened. */
  days(tenantId: string, first: string): Promise<ActivityEntity[]> {
    return this.manager.find(ActivityEntity, {
      where: { tenant_id: tenantId, grain: 'day', starts_at: MoreThanOrEqual(startOf(first)) },
      order: { starts_at: 'ASC' },
    });
  }

  /** `changes` has the days since `first` on which the bytes have changed. */
  async storedBytes(
    tenantId: string,
    first: string,
  ): Promise<{ sizeBytes: number; changes: { day: Date; stored_bytes: number }[] }> {
    const rows = await this.database.query<{ size_bytes: number; day: Date | null; stored_bytes: number }>(
      storedBytes,
      [tenantId, startOf(first)],
    );
    const changes = rows.flatMap(({ day, stored_bytes }) => (day ? [{ day, stored_bytes }] : []));
    return { sizeBytes: rows[0]?.size_bytes ?? 0, changes };
  }

  /** The days since `first` on which a job completed, in any order. */
  dailyTimes(tenantId: string, first: string): Promise<DailyTimes[]> {
    return this.database.query<DailyTimes>(dailyTimes, [tenantId, startOf(first)]);
  }

  providers(tenantId: string, window: Window): Promise<ProviderTotals[]> {
    return this.database.query<ProviderTotals>(providers, [tenantId, window.hours, window.days]);
  }

  async processing(tenantId: string, window: Window): Promise<Quantiles & { providers: ProviderTotals[] }> {
    const { hours, days: firstDay, months } = window;
    const [row] = await this.database.query<Quantiles & { providers: ProviderTotals[] }>(processing, [
      tenantId,
      hours,
      firstDay,
      months,
    ]);
    return row ?? { p50: null, p95: null, p99: null, providers: [] };
  }
}
