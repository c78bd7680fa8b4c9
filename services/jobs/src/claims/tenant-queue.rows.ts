// SQL with which statements that make jobs due also add their tenants to the queue of tenants.

const MOVE_FORWARD = `on conflict (tenant_id, lane) do update set due_at = least(waiting_tenants.due_at, excluded.due_at),
     served_at = least(waiting_tenants.served_at, excluded.due_at)`;

/** SQL: when the first job of a row `tenant` (tenant_id, lane) is due, by two probes of the index that claims use. Null without a job. */
export const FIRST_DUE = `least(${firstDueOf(0)}, ${firstDueOf(1)})`;

function firstDueOf(priority: number): string {
  return `(select j.due_at from jobs j
     where j.tenant_id = tenant.tenant_id and j.lane = tenant.lane and j.priority = ${priority} and j.status = 'queued' and j.ready
     order by j.due_at limit 1)`;
}

/** SQL: the tenants of `jobs`, which were queued again, are due when their jobs are. Rows are locked in the order of ids, which prevents deadlocks. */
export const makeDue = (jobs: string) =>
  `insert into waiting_tenants (tenant_id, lane, due_at)
   select tenant_id, lane, min(due_at) from ${jobs} group by tenant_id, lane order by tenant_id, lane ${MOVE_FORWARD}`;

/**
 * SQL, for a statement that makes jobs of the tenant $1 claimable, or for a later one in its transaction. For each lane of `jobs` (an SQL
 * expression): locks the tenant's row if it is due; else inserts it or makes it due. Three common table expressions.
 */
export const joinQueue = (jobs: string) => `wanted as materialized (
     select distinct lane from ${jobs}
   ), due as materialized (
     select lane from waiting_tenants
     where tenant_id = $1 and lane in (select lane from wanted) and due_at <= now() for key share
   ), joined as (
     insert into waiting_tenants (tenant_id, lane, due_at)
     select $1, lane, now() from wanted where lane not in (select lane from due) order by lane
     ${MOVE_FORWARD}
   )`;
