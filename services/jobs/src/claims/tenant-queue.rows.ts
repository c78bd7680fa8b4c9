// SQL with which statements that make jobs due also add their tenants to the queue of tenants.

/** SQL: tenants that have joined come before all that were served, in the order in which they joined. It is the default of the column. */
const JOINED_AT = `now() - interval '1000 years'`;
const JOINED_UNTIL = `now() - interval '500 years'`;

/** SQL: a tenant that is due later joins the order at that time, so that claims do not read past it. */
export const servedAt = (dueAt: string) => `case when ${dueAt} > now() then ${dueAt} else ${JOINED_AT} end`;

/**
 * SQL: the tenants that are due, as two ranges of the order in which they are served. A postponed tenant counts as served when it will be due, so those
 * that wait for a retry lie behind. The second is for transactions that began before the last service. `due_at` is compared as an expression, which no
 * index has: the order is to be read, not sorted.
 */
export function dueTenants(of: { lane: string; except: string; joinedFrom: string; servedFrom: string }) {
  const range = (
    first: string,
    until: string,
  ) => `from waiting_tenants where lane = ${of.lane} and served_at >= ${first}
       and served_at <= ${until} and due_at - interval '0' <= now() and tenant_id <> all (${of.except}::uuid[])`;
  const time = (seconds: string) => `to_timestamp(${seconds}::float8)`;
  return {
    joined: range(time(of.joinedFrom), JOINED_UNTIL),
    served: range(`greatest(${time(of.servedFrom)}, ${JOINED_UNTIL})`, `now() + interval '1 second'`),
  };
}

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
  `insert into waiting_tenants (tenant_id, lane, due_at, served_at)
   select tenant_id, lane, min(due_at), ${servedAt('min(due_at)')} from ${jobs} group by tenant_id, lane order by tenant_id, lane ${MOVE_FORWARD}`;

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
