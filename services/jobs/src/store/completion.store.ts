// The end of runs that did their work: many by one statement, which waits for nobody.
import { eventBatch, statement, type Queryable } from '@kiln/platform';
import type { Lease } from './lease.store.js';
import { enterEnded, stageIs } from './stage.rows.js';
import { logUsage } from './usage.store.js';

/** A run that did its work, and the envelope of the event that is true once that is written down. */
export interface FinishedRun {
  lease: Lease;
  envelope: string;
}

/**
 * Ends the runs given by $1 to $3 (tenant, job, fence), each only under its own fence, with its pages and its event. The events
 * are one row, of the text $4 or the packed text $5; that of a missed run is left out by its number. A run whose job is locked
 * counts as missed. Rows are found one by one by an index and changed by their place: no plan reads a table, whatever is known of
 * its size; nor does it depend on how many runs there are, so that one plan is made for good. Answers the numbers of those that were
 * missed, from 1.
 */
export const complete = statement(
  'completions.complete',
  `with run as materialized (
     select * from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::int[]))
       with ordinality as run (tenant_id, id, fence, number)
   ), held as materialized (
     select job.place from run cross join lateral (
       select ctid as place, status from jobs where tenant_id = run.tenant_id and id = run.id and fence = run.fence
       limit 1 for no key update skip locked) job
     where job.status = 'processing'
   ), completed as (
     update jobs set status = 'completed', ${stageIs('completed')}, progress = 1, completed_at = now()
     where ctid = any (array (select place from held))
     returning tenant_id, id, fence, space, status, created_at, completed_at, page_hundredths
   ), filed as (${enterEnded('completed')}
   ), used as (${logUsage('completed')}
   ), total as materialized (
     select (select count(*)::int from run) as given, (select count(*)::int from completed) as written
   ), missed as materialized (
     select number from run left join completed using (tenant_id, id, fence)
     where (select given > written from total) and completed.id is null
   ), told as (
     insert into outbox_batches (envelopes, packed, left_out, events)
     select $4, $5, array (select number::int from missed), written from total where written > 0
   )
   select number::int from missed`,
);

/** As PostgreSQL writes an array whose elements need no quotes. The driver looks at each character of each element. */
const arrayOf = (elements: readonly (string | number)[]) => `{${elements.join()}}`;

export class CompletionStore {
  constructor(private readonly database: Queryable) {}

  /** All of it or nothing. Answers the runs that were not written down: their lease is lost, or somebody is at their job. */
  async complete<Run extends FinishedRun>(finished: readonly Run[]): Promise<Run[]> {
    const batch = eventBatch(finished.map(({ envelope }) => envelope));
    const rows = await this.database.query<{ number: number }>(complete, [
      arrayOf(finished.map(({ lease }) => lease.tenantId)),
      arrayOf(finished.map(({ lease }) => lease.jobId)),
      arrayOf(finished.map(({ lease }) => lease.fence)),
      batch.envelopes,
      batch.packed,
    ]);
    const missed = new Set(rows.map(({ number }) => number));
    return missed.size === 0 ? [] : finished.filter((_run, index) => missed.has(index + 1));
  }
}
