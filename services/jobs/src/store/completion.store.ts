// The end of runs that did their work: many by one statement, which waits for nobody.
import { outboxRow, statement, type NewEvent, type Queryable } from '@kiln/platform';
import { leaseKey, type Lease } from './lease.store.js';
import { enterEnded } from './stage.rows.js';
import { logUsage } from './usage.store.js';

/** A run that did its work, and the event that is true once that is written down. */
export interface FinishedRun {
  lease: Lease;
  event: NewEvent;
}

/**
 * Completes the runs given by $1 to $3 (tenant, job, fence), each only under its own fence, with its pages and its event ($4 to $6:
 * id, type, envelope). It passes over a run whose job is locked. Answers the runs that it completed.
 */
export const complete = statement(
  'completions.complete',
  `with run as (
     select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::text[], $6::text[])
       as run (tenant_id, id, fence, event_id, type, envelope)
   ), held as (
     select tenant_id, id, fence from jobs join run using (tenant_id, id, fence) where status = 'processing'
     for no key update of jobs skip locked
   ), completed as (
     update jobs set status = 'completed', progress = 1, completed_at = now()
     from held where jobs.tenant_id = held.tenant_id and jobs.id = held.id
     returning jobs.tenant_id, jobs.id, jobs.fence, space, status, created_at, completed_at, page_hundredths
   ), ended as (${enterEnded('completed')}
   ), used as (${logUsage('completed')}
   ), events as (
     insert into outbox (id, type, envelope)
     select event_id, type, envelope from run join completed using (tenant_id, id, fence)
   )
   select tenant_id as "tenantId", id as "jobId", fence from completed`,
  { appendsEvents: true },
);

export class CompletionStore {
  constructor(private readonly database: Queryable) {}

  /** All of it or nothing. Throws when an event does not fit its contract. Answers the runs that it did not complete: their lease is lost, or another holds their job. */
  async complete<Run extends FinishedRun>(finished: readonly Run[]): Promise<Run[]> {
    const events = finished.map(({ event }) => outboxRow(event));
    const completed = await this.database.query<Lease>(complete, [
      finished.map(({ lease }) => lease.tenantId),
      finished.map(({ lease }) => lease.jobId),
      finished.map(({ lease }) => lease.fence),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ envelope }) => envelope),
    ]);
    const keys = new Set(completed.map(leaseKey));
    return finished.filter(({ lease }) => !keys.has(leaseKey(lease)));
  }
}
