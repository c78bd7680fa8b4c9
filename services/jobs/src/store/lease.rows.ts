// Leases as the database keeps them: one row for what a worker took of a tenant at once. It outlives the runs it was for by a
// moment: whether one of them goes on stands in the row of its job.

/** SQL: the rows `r` (tenant_id, id, fence) of runs that leases were taken for; `condition` is about the lease `l`. */
const leasedRuns = (condition: string) =>
  `(select l.tenant_id, run.id, run.fence from worker_leases l
    cross join lateral unnest(l.job_ids, l.fences) as run (id, fence) where ${condition}) r`;

/** SQL: the rows `s` of the jobs of those runs that go on. Each is found by an index, whatever is known of the table's size. */
export const runningJobs = (condition: string) =>
  `${leasedRuns(condition)} cross join lateral (
     select * from jobs j where j.tenant_id = r.tenant_id and j.id = r.id and j.fence = r.fence and j.status = 'processing'
     limit 1) s`;

/** SQL: the place of each lease of two parameters, tenants and ids, that nobody else is at; it is locked. */
export const freeLeases = (tenantIds: string, ids: string) =>
  `select free.place from unnest((select ${tenantIds}::uuid[]), (select ${ids}::uuid[])) as given (tenant_id, id)
   cross join lateral (
     select ctid as place from worker_leases l where l.tenant_id = given.tenant_id and l.id = given.id
     limit 1 for update skip locked) free`;

/** A lease that somebody is at has run out, and is about to go. */
export const letGoOfLeases = (tenantIds: string, ids: string) =>
  `delete from worker_leases where ctid = any (array (${freeLeases(tenantIds, ids)}))`;
