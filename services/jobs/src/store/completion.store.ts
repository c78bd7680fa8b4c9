// The end of runs that did their work: many by one statement, which waits for nobody.
import { statement, type OutboxRow, type Queryable } from '@kiln/platform';
import type { Lease } from './lease.store.js';
import { endLease, enterEnded, stageIs } from './stage.rows.js';
import { logUsage } from './usage.store.js';

/** A run that did its work, and the event that is true once that is written down. */
export interface FinishedRun {
  lease: Lease;
  event: OutboxRow;
}

/**
 * Ends the runs given by $1 to $6 (tenant, job, fence, and id, type and envelope of the event that says so; envelopes are JSON,
 * which has no raw line end, and are divided by them), each only under its own fence, with its pages and its event. A run whose
 * job is locked counts as missed. Rows are found one by one by an index and changed by their place: no plan reads a
 * table, whatever is known of its size; nor does it depend on how many runs there are, so that one plan is made for good. Answers the numbers of those that were missed, from 1.
 */
export const complete = statement(
  'completions.complete',
  `with run as materialized (
     select * from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::int[]), (select $4::uuid[]),
       (select $5::text[]), (select string_to_array($6, E'\\n')))
       with ordinality as run (tenant_id, id, fence, event_id, event_type, envelope, number)
   ), held as materialized (
     select job.place from run cross join lateral (
       select ctid as place, status from jobs where tenant_id = run.tenant_id and id = run.id and fence = run.fence
       limit 1 for no key update skip locked) job
     where job.status = 'processing'
   ), completed as (
     update jobs set status = 'completed', ${stageIs('completed')}, progress = 1, completed_at = now()
     where ctid = any (array (select place from held))
     returning tenant_id, id, fence, space, status, created_at, completed_at, page_hundredths
   ), let_go as (${endLease('completed')}
   ), filed as (${enterEnded('completed')}
   ), used as (${logUsage('completed')}
   ), event as (
     insert into outbox (id, type, envelope)
     select event_id, event_type, envelope from run join completed using (tenant_id, id, fence)
   )
   select number::int from run left join completed using (tenant_id, id, fence) where completed.id is null`,
);

/** As PostgreSQL writes an array whose elements need no quotes. The driver looks at each character of each element. */
const arrayOf = (elements: readonly (string | number)[]) => `{${elements.join()}}`;

export class CompletionStore {
  constructor(private readonly database: Queryable) {}

  /** All of it or nothing. Answers the runs that were not written down: their lease is lost, or somebody is at their job. */
  async complete<Run extends FinishedRun>(finished: readonly Run[]): Promise<Run[]> {
    const rows = await this.database.query<{ number: number }>(complete, [
      arrayOf(finished.map(({ lease }) => lease.tenantId)),
      arrayOf(finished.map(({ lease }) => lease.jobId)),
      arrayOf(finished.map(({ lease }) => lease.fence)),
      arrayOf(finished.map(({ event }) => event.id)),
      arrayOf(finished.map(({ event }) => event.type)),
      finished.map(({ event }) => event.envelope).join('\n'),
    ]);
    const missed = new Set(rows.map(({ number }) => number));
    return missed.size === 0 ? [] : finished.filter((_run, index) => missed.has(index + 1));
  }
}
