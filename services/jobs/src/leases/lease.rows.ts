// SQL that the statements about one run share.

/** SQL: the job of the run that $1 to $3 name (tenant, job, fencing token), while the run holds its lease. */
export const HELD = `tenant_id = $1 and id = $2 and fence = $3 and worker_id is not null`;

/** SQL: what an update of `jobs` sets to end a run. */
export const CLEAR_LEASE = 'worker_id = null, lease_expires_at = null';
