// The queue of tenants with work. Adders of jobs only share a tenant's row, so that they hold up neither each other nor
// the claims; whoever moves or removes a row has it alone, and looks at the jobs after that: a job is never left unseen.
import { statement, type Database, type Queryable, type Transaction } from '@kiln/platform';

/**
 * SQL, for a statement that makes jobs of the tenant $1 claimable, or for one after it in its transaction: locks a row that stands
 * there and is due; makes or moves it otherwise. Two common table expressions; nothing happens unless `condition` holds.
 */
export const joinQueue = (condition: string) => `due as (
     select tenant_id from waiting_tenants where tenant_id = $1 and due_at <= now() for key share
   ), joined as (
     insert into waiting_tenants (tenant_id, due_at) select $1, now() where ${condition} and not exists (select 1 from due)
     on conflict (tenant_id) do update
       set due_at = least(waiting_tenants.due_at, excluded.due_at),
           served_at = least(waiting_tenants.served_at, excluded.due_at)
   )`;
const join = statement('tenant_queue.join', `with ${joinQueue('true')} select 1 from due`);
const lock = statement(
  'tenant_queue.lock',
  'select tenant_id from waiting_tenants where tenant_id = any (array (select unnest($1::uuid[]))) for update skip locked',
);
/** When a tenant's first job is due: two probes of the index that claims use. Null without one. Takes a qualified name. */
const firstDue = (tenantId: string) => {
  const first = (priority: number) => `(select q.run_after from queued_jobs q
    where q.tenant_id = ${tenantId} and q.ready and q.priority = ${priority} order by q.run_after limit 1)`;
  return `least(${first(0)}, ${first(1)})`;
};
/** A postponed tenant goes to the far end of the order, so that claims do not step over it each time. */
const settle = statement(
  'tenant_queue.settle',
  `with first_job as materialized (
     select tenant.tenant_id, ${firstDue('tenant.tenant_id')} as due_at from unnest((select $1::uuid[])) as tenant (tenant_id)
   ), gone as (
     delete from waiting_tenants
     where tenant_id = any (array (select tenant_id from first_job where due_at is null))
   )
   update waiting_tenants w set due_at = first_job.due_at, served_at = greatest(first_job.due_at, clock_timestamp())
   from first_job
   where w.tenant_id = first_job.tenant_id and first_job.due_at is not null
     and w.tenant_id = any (array (select tenant_id from first_job))
   returning w.due_at <= clock_timestamp() as due`,
);
/** Hops from tenant to tenant along the index of the queue, so it costs two probes per tenant with work, not one per job. */
const restore = statement(
  'tenant_queue.restore',
  `with recursive tenants as (
     (select tenant_id from queued_jobs where ready order by tenant_id limit 1)
     union all
     select (select q.tenant_id from queued_jobs q where q.ready and q.tenant_id > tenants.tenant_id
             order by q.tenant_id limit 1)
     from tenants where tenants.tenant_id is not null
   ), first_jobs as (
     select t.tenant_id, ${firstDue('t.tenant_id')} as due_at
     from tenants t where t.tenant_id is not null
   )
   insert into waiting_tenants (tenant_id, due_at)
   select f.tenant_id, f.due_at from first_jobs f left join waiting_tenants w using (tenant_id)
   where f.due_at is not null and (w.tenant_id is null or w.due_at > greatest(f.due_at, now()))
   order by f.tenant_id
   on conflict (tenant_id) do update
     set due_at = least(waiting_tenants.due_at, excluded.due_at),
         served_at = least(waiting_tenants.served_at, excluded.due_at)`,
);

export class TenantQueueStore {
  constructor(private readonly database: Database) {}

  /** To be called in the transaction that makes a job of the tenant claimable, after that write. */
  async join(transaction: Queryable, tenantId: string): Promise<void> {
    await transaction.query(join, [tenantId]);
  }

  /**
   * Puts tenants whose turn came to nothing where they belong: away without jobs, later when the first is due later.
   * False when one may have a job after all (somebody is at its row or at its jobs): look again in a moment.
   */
  settle(tenantIds: readonly string[]): Promise<boolean> {
    return this.database.transaction((transaction) => this.settleAlone(transaction, tenantIds));
  }

  /** Brings back tenants whose place does not fit their jobs. Nothing should lose it; this makes sure. */
  async restore(): Promise<void> {
    await this.database.query(restore);
  }

  /** Two statements on purpose: the second sees what was committed before the first got its locks. */
  private async settleAlone(transaction: Transaction, tenantIds: readonly string[]): Promise<boolean> {
    const locked = await transaction.query<{ tenant_id: string }>(lock, [tenantIds]);
    const left = await transaction.query<{ due: boolean }>(settle, [locked.map((row) => row.tenant_id)]);
    return locked.length === tenantIds.length && !left.some(({ due }) => due);
  }
}
