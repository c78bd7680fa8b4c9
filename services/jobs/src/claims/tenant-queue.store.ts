// The queue of tenants with work. A transaction that adds jobs takes a shared lock on the tenant's row, so it blocks neither other such
// transactions nor claims. A transaction that moves or removes a row locks it exclusively and reads the jobs after that, so it misses none.
import { nextDueInMs, nextDueStatement, statement, Database, type Queryable, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { TenantsFrom } from './claim-positions.domain.js';
import type { Lane } from './lane.domain.js';
import { dueTenants, FIRST_DUE, joinQueue, servedAt } from './tenant-queue.rows.js';

const join = statement(
  'tenant_queue.join',
  `with ${joinQueue('(values ($2::text)) as given (lane)')} select 1 from due`,
);
const lock = statement(
  'tenant_queue.lock',
  'select tenant_id, ctid::text as row from waiting_tenants where tenant_id = any ($1::uuid[]) and lane = $2 for update skip locked',
);
/**
 * A postponed tenant moves to the end of the order, so that claims do not read past it each time. $3 are the locked rows: a plan by their keys that was
 * made on an empty table may read all tenants of the lane.
 */
const removeIdle = statement(
  'tenant_queue.remove_idle',
  `with first_job as materialized (
     select row, ${FIRST_DUE} as due_at from (
       select tenant_id, row, $2::text as lane from unnest($1::uuid[], $3::tid[]) as locked (tenant_id, row)) tenant
   ), removed as (
     delete from waiting_tenants w using first_job f where w.ctid = f.row and f.due_at is null
   )
   update waiting_tenants w set due_at = f.due_at, served_at = greatest(f.due_at, clock_timestamp())
   from first_job f where w.ctid = f.row and f.due_at is not null
   returning w.due_at <= clock_timestamp() as due`,
);
/** A loose index scan: two index probes for each tenant and lane, however many jobs it has. */
const restore = statement(
  'tenant_queue.restore',
  `with recursive tenants as (
     (select tenant_id, lane from jobs where status = 'queued' and ready order by tenant_id, lane limit 1)
     union all
     select next.tenant_id, next.lane from tenants cross join lateral (
       select j.tenant_id, j.lane from jobs j
       where j.status = 'queued' and j.ready and (j.tenant_id, j.lane) > (tenants.tenant_id, tenants.lane)
       order by j.tenant_id, j.lane limit 1) next
   ), first_jobs as materialized (
     select tenant_id, lane, ${FIRST_DUE} as due_at from tenants tenant
   )
   insert into waiting_tenants (tenant_id, lane, due_at, served_at)
   select f.tenant_id, f.lane, f.due_at, ${servedAt('f.due_at')} from first_jobs f left join waiting_tenants w using (tenant_id, lane)
   where f.due_at is not null and (w.tenant_id is null or w.due_at > greatest(f.due_at, now()))
   order by f.tenant_id, f.lane
   on conflict (tenant_id, lane) do update
     set due_at = least(waiting_tenants.due_at, excluded.due_at),
         served_at = least(waiting_tenants.served_at, excluded.due_at)`,
);
const { joined, served } = dueTenants({ lane: '$2', except: '$1', joinedFrom: '$3', servedFrom: '$4' });
const nextDue = nextDueStatement(
  'tenant_queue.next_due',
  `select case when exists (select ${joined}) or exists (select ${served}) then now() else (
     select due_at from waiting_tenants where lane || '' = $2 and due_at > now() and tenant_id <> all ($1::uuid[]) order by due_at limit 1) end`,
);

@Injectable()
export class TenantQueueStore {
  constructor(private readonly database: Database) {}

  /** Call it in the transaction that makes a job of the tenant claimable, after that write. */
  async join(transaction: Queryable, tenantId: string, lane: Lane): Promise<void> {
    await transaction.query(join, [tenantId, lane]);
  }

  /**
   * Removes tenants without jobs, and postpones tenants whose first job is due later. False when one of them may have a due job after all,
   * because another transaction has locked its row or its jobs: claim again in a moment.
   */
  removeIdle(lane: Lane, tenantIds: readonly string[]): Promise<boolean> {
    return this.database.transaction((transaction) => this.removeIdleWithin(transaction, lane, tenantIds));
  }

  /** Milliseconds until a tenant other than these is due; 0 when one is due now. Null when no tenant waits. Due tenants are read as from `from`. */
  nextDueInMs(lane: Lane, except: readonly string[], from: TenantsFrom): Promise<number | null> {
    return nextDueInMs(this.database, nextDue, [except, lane, from.joined, from.served]);
  }

  /** Reconciliation: adds or moves tenants whose row does not agree with their jobs. Normally all agree. */
  async restore(): Promise<void> {
    await this.database.query(restore);
  }

  /** Two statements: the second sees what was committed before the first got its locks. */
  private async removeIdleWithin(transaction: Transaction, lane: Lane, tenantIds: readonly string[]): Promise<boolean> {
    const locked = await transaction.query<{ tenant_id: string; row: string }>(lock, [tenantIds, lane]);
    const values = [locked.map(({ tenant_id: id }) => id), lane, locked.map(({ row }) => row)];
    const left = await transaction.query<{ due: boolean }>(removeIdle, values);
    return locked.length === tenantIds.length && !left.some(({ due }) => due);
  }
}
