// Measures the queue at a cost that does not grow with it: due jobs are counted up to a limit, the oldest is looked up tenant by tenant,
// running jobs are limited by the number of workers, and each ended run is counted once.
import { statement, type Database } from '@kiln/platform';

/** The mode of a tenant. Tenants themselves are no labels: their number is unbounded. */
export type TenantClass = 'live' | 'test';

export interface QueueMeasure {
  /** Seconds since this was measured. */
  age_seconds: number;
  /** Due jobs that wait for a worker, counted up to the limit of both classes together. */
  queued: { tenant_class: TenantClass; jobs: number; oldest_seconds: number }[];
  processing: { tenant_class: TenantClass; provider: string; jobs: number }[];
  /** Runs that have ended so far. */
  ended: { tenant_class: TenantClass; provider: string; outcome: string; runs: number }[];
}

/** The measuring process locks the row; others skip it. */
const take = statement(
  'queue_measures.take',
  `select counted_until from queue_measures where measured_at <= now() - make_interval(secs => $1) for update skip locked`,
);
const classOf = (tenantId: string) => `mode_of_tenant(${tenantId})`;

/** $1 limits how many due jobs are counted. `waiting_tenants` has every tenant that may have one. */
export const measureQueue = statement(
  'queue_measures.measure',
  `with counted as (
     select tenant_id, count(*)::int as jobs from (
       select tenant_id from jobs where status = 'queued' and ready and due_at <= now()
       order by tenant_id limit $1) due
     group by tenant_id
   ), oldest as materialized (
     select w.tenant_id, min(least(${firstDue(0)}, ${firstDue(1)})) as due_at
     from waiting_tenants w where w.due_at <= now() group by w.tenant_id
   ), queued as (
     select tenant_class, coalesce(sum(jobs), 0)::int as jobs,
       coalesce(greatest(extract(epoch from now() - min(due_at)), 0), 0)::float8 as oldest_seconds
     from (values ('live'), ('test')) known (tenant_class) left join (
       select ${classOf('q.tenant_id')} as tenant_class, jobs, due_at
       from (oldest full join counted using (tenant_id)) q) waiting using (tenant_class)
     group by 1
   ), processing as (
     select ${classOf('tenant_id')} as tenant_class, coalesce(provider, 'none') as provider, count(*)::int as jobs
     from jobs where lease_expires_at is not null group by 1, 2
   )
   update queue_measures set measured_at = now(), measure = jsonb_build_object(
     'queued', coalesce((select jsonb_agg(queued) from queued), '[]'),
     'processing', coalesce((select jsonb_agg(processing) from processing), '[]'))`,
);

function firstDue(priority: number): string {
  return `(select j.due_at from jobs j where j.tenant_id = w.tenant_id and j.lane = w.lane and j.status = 'queued'
    and j.ready and j.priority = ${priority} and j.due_at <= now() order by j.due_at limit 1)`;
}

/**
 * Counts runs that completed their job, and the logged runs that did not. The time of each is the start of its transaction, which has
 * committed $1 seconds later. After a pause in counting, each call catches up by $2 seconds. The expression on `status` fits no index, which a
 * plan made while the table was small would walk from tenant to tenant.
 */
export const countEnded = statement(
  'queue_measures.count_ended',
  `with until as materialized (
     select counted_until as since, greatest(counted_until,
       least(now() - make_interval(secs => $1), counted_until + make_interval(secs => $2))) as until from queue_measures
   ), run as (
     select a.tenant_id, j.provider, a.status
     from job_attempts a left join jobs j on j.tenant_id = a.tenant_id and j.id = a.job_id
     where a.ended_at >= (select since from until) and a.ended_at < (select until from until) and a.status <> 'completed'
     union all
     select tenant_id, provider, status from jobs
     where completed_at >= (select since from until) and completed_at < (select until from until) and status || '' = 'completed'
   ), ended as (
     select ${classOf('tenant_id')} as tenant_class, coalesce(provider, 'none') as provider, status as outcome, count(*) as runs
     from run group by 1, 2, 3
   ), added as (
     insert into run_totals (tenant_class, provider, outcome, runs) select * from ended
     on conflict (tenant_class, provider, outcome) do update set runs = run_totals.runs + excluded.runs
   )
   update queue_measures set counted_until = (select until from until)`,
);
const read = statement(
  'queue_measures.read',
  `select extract(epoch from now() - measured_at)::float8 as age_seconds, measure -> 'queued' as queued,
     measure -> 'processing' as processing,
     coalesce((select jsonb_agg(run_totals) from run_totals), '[]') as ended
   from queue_measures where measured_at > '-infinity'`,
);

const COUNTED_SECONDS_MAX = 300;
const COUNTED_SECONDS_MIN = 10;

export interface MeasureOptions {
  /** Seconds between two measurements. */
  intervalSeconds: number;
  /** Limit on the due jobs that are counted. */
  countedMax: number;
  /** Seconds within which every transaction of a worker commits. */
  commitSeconds: number;
}

export class QueueMeasureStore {
  private countedSeconds = COUNTED_SECONDS_MAX;

  constructor(
    private readonly database: Database,
    private readonly options: MeasureOptions,
  ) {}

  /**
   * Measures, unless a process did so within the interval or is doing so now. Returns whether it measured. The runs are counted in a transaction
   * afterwards: if that fails, the depth of the queue is known all the same, and the next count takes a shorter time.
   */
  async measure(): Promise<boolean> {
    const measured = await this.database.transaction(async (transaction) => {
      const taken = await transaction.query(take, [this.options.intervalSeconds]);
      if (taken.length > 0) await transaction.query(measureQueue, [this.options.countedMax]);
      return taken.length > 0;
    });
    if (measured) await this.count();
    return measured;
  }

  /** The last measurement. Null before the first. */
  async read(): Promise<QueueMeasure | null> {
    const [measure] = await this.database.query<QueueMeasure>(read);
    return measure ?? null;
  }

  private async count(): Promise<void> {
    try {
      await this.database.query(countEnded, [this.options.commitSeconds, this.countedSeconds]);
      this.countedSeconds = Math.min(COUNTED_SECONDS_MAX, this.countedSeconds * 2);
    } catch (error) {
      this.countedSeconds = Math.max(COUNTED_SECONDS_MIN, this.countedSeconds / 2);
      throw error;
    }
  }
}
