// The state of the queue in a few numbers, at a price that does not grow with it: due jobs are counted up to a limit, the
// oldest is looked up tenant by tenant, running ones are as many as workers can hold, and ended ones are counted once.
import { statement, type Database, type Queryable } from '@kiln/platform';
import { runningJobs } from './lease.rows.js';

/** `live` or `test`: the plane of a tenant. A tenant itself is no label, for there is no end of them. */
export type TenantClass = 'live' | 'test';

export interface QueueMeasure {
  /** Seconds since this was measured. */
  age_seconds: number;
  /** Due jobs that wait for a worker; at most as many as are counted, of both classes together. */
  queued: { tenant_class: TenantClass; jobs: number; oldest_seconds: number }[];
  processing: { tenant_class: TenantClass; provider: string; jobs: number }[];
  /** Runs that have ended so far. */
  ended: { tenant_class: TenantClass; provider: string; outcome: string; runs: number }[];
}

/** A process that measures holds the row; the others find nothing to do. */
const take = statement(
  'queue_measure.take',
  `select counted_until from queue_measure where measured_at <= now() - make_interval(secs => $1) for update skip locked`,
);
const classOf = (tenantId: string) => `mode_of_tenant(${tenantId})`;

/** $1 is how many due jobs are counted. `waiting_tenants` names every tenant that may have one. */
export const measureQueue = statement(
  'queue_measure.measure',
  `with counted as (
     select tenant_id, count(*)::int as jobs from (
       select tenant_id from queued_jobs where ready and run_after <= now() order by tenant_id limit $1) due
     group by tenant_id
   ), oldest as materialized (
     select w.tenant_id, least(${firstDue(0)}, ${firstDue(1)}) as due_at from waiting_tenants w where w.due_at <= now()
   ), queued as (
     select tenant_class, coalesce(sum(jobs), 0)::int as jobs,
       coalesce(greatest(extract(epoch from now() - min(due_at)), 0), 0)::float8 as oldest_seconds
     from (values ('live'), ('test')) known (tenant_class) left join (
       select ${classOf('q.tenant_id')} as tenant_class, jobs, due_at
       from (oldest full join counted using (tenant_id)) q) waiting using (tenant_class)
     group by 1
   ), processing as (
     select ${classOf('s.tenant_id')} as tenant_class, coalesce(s.provider, 'none') as provider, count(*)::int as jobs
     from ${runningJobs('true')} group by 1, 2
   )
   update queue_measure set measured_at = now(), measure = jsonb_build_object(
     'queued', coalesce((select jsonb_agg(queued) from queued), '[]'),
     'processing', coalesce((select jsonb_agg(processing) from processing), '[]'))`,
);

function firstDue(priority: number): string {
  return `(select q.run_after from queued_jobs q where q.tenant_id = w.tenant_id and q.ready
    and q.priority = ${priority} and q.run_after <= now() order by q.run_after limit 1)`;
}

/**
 * Runs that completed their job, and the log of all others. Each bears the time at which its transaction began: $1 seconds later
 * it is visible, whoever wrote it. What was missed while nobody counted is made up for $2 seconds at a time.
 */
export const countEnded = statement(
  'queue_measure.count_ended',
  `with until as materialized (
     select counted_until as since, greatest(counted_until,
       least(now() - make_interval(secs => $1), counted_until + make_interval(secs => $2))) as until from queue_measure
   ), run as (
     select tenant_id, job_id, status, ended_at from job_attempts where status <> 'completed'
     union all select tenant_id, id, status, ended_at from ended_jobs where status = 'completed'
   ), ended as (
     select ${classOf('run.tenant_id')} as tenant_class, coalesce(j.provider, 'none') as provider, run.status as outcome,
       count(*) as runs
     from run left join jobs j on j.tenant_id = run.tenant_id and j.id = run.job_id
     where run.ended_at >= (select since from until) and run.ended_at < (select until from until)
     group by 1, 2, 3
   ), added as (
     insert into run_totals (tenant_class, provider, outcome, runs) select * from ended
     on conflict (tenant_class, provider, outcome) do update set runs = run_totals.runs + excluded.runs
   )
   update queue_measure set counted_until = (select until from until)`,
);
const read = statement(
  'queue_measure.read',
  `select extract(epoch from now() - measured_at)::float8 as age_seconds, measure -> 'queued' as queued,
     measure -> 'processing' as processing,
     coalesce((select jsonb_agg(run_totals) from run_totals), '[]') as ended
   from queue_measure where measured_at > '-infinity'`,
);

const COUNTED_SECONDS_MAX = 300;

export interface MeasureOptions {
  /** Seconds for which a measure is good: nobody measures again before. */
  intervalSeconds: number;
  /** Due jobs that are counted at most. */
  countedMax: number;
  /** Seconds after which every transaction of a worker has ended. */
  settleSeconds: number;
}

export class QueueMeasureStore {
  constructor(
    private readonly database: Database,
    private readonly options: MeasureOptions,
  ) {}

  /** Measures, unless that was done within the interval or is being done by another process; answers whether it did. */
  measure(): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const turn = await transaction.query(take, [this.options.intervalSeconds]);
      if (turn.length === 0) return false;
      await this.measureWithin(transaction);
      return true;
    });
  }

  /** The last measure; null before the first. */
  async read(): Promise<QueueMeasure | null> {
    const [measure] = await this.database.query<QueueMeasure>(read);
    return measure ?? null;
  }

  private async measureWithin(transaction: Queryable): Promise<void> {
    await transaction.query(measureQueue, [this.options.countedMax]);
    await transaction.query(countEnded, [this.options.settleSeconds, COUNTED_SECONDS_MAX]);
  }
}
