// Claiming: the next job of the tenant whose turn it is, under a lease and a higher fence than any before.
import { statement, type Queryable } from '@kiln/platform';
import { jobColumns, type JobRow } from './job.rows.js';
import { TenantQueueStore } from './tenant-queue.store.js';

/**
 * A job to run; 'retry' when the tenant whose turn it was had none due, so that the next one's turn has come; 'busy' when
 * others are at every tenant with work: look again in a moment; 'none' when nothing is due.
 */
export type Claim = JobRow | 'retry' | 'busy' | 'none';

/** The scalar subqueries keep both look-ups on their indexes: a join would read and sort every job of the tenant. */
const claim = statement(
  'claims.claim',
  `with tenant as materialized (
     select tenant_id from waiting_tenants where due_at <= now()
     order by served_at, tenant_id limit 1 for no key update skip locked
   ), job as materialized (
     select tenant_id, id from jobs
     where tenant_id = (select tenant_id from tenant) and status = 'queued' and ready and run_after <= now()
     order by run_after, id limit 1 for update skip locked
   ), claimed as (
     update jobs j
     set status = 'processing', fence = j.fence + 1, attempts = j.attempts + 1, worker_id = $1, error = null,
         lease_expires_at = now() + make_interval(secs => $2), started_at = coalesce(j.started_at, now()),
         run_started_at = now(), run_steps = null
     where (j.tenant_id, j.id) = (select tenant_id, id from job)
     returning ${jobColumns('j')}
   ), served as (
     update waiting_tenants set served_at = clock_timestamp() where tenant_id = (select tenant_id from claimed)
   )
   select (select tenant_id from tenant) as turn_of,
          not exists (select 1 from tenant) and exists (select 1 from waiting_tenants where due_at <= now()) as busy,
          ${jobColumns('claimed')}
   from (values (1)) as one left join claimed on true`,
);

type Answer = { turn_of: string | null; busy: boolean } & ({ id: null } | JobRow);

export class ClaimStore {
  constructor(
    private readonly database: Queryable,
    private readonly tenants: TenantQueueStore,
    private readonly workerId: string,
    private readonly leaseSeconds: number,
  ) {}

  async claim(): Promise<Claim> {
    const [answer] = await this.database.query<Answer>(claim, [this.workerId, this.leaseSeconds]);
    if (!answer) return 'none';
    const { turn_of: turnOf, busy, ...job } = answer;
    if (job.id !== null) return job;
    if (turnOf === null) return busy ? 'busy' : 'none';
    return (await this.tenants.settle(turnOf)) ? 'retry' : 'busy';
  }
}
