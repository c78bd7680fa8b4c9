// For specs that insert into `jobs` or change a status by themselves: the rows that say where those jobs stand, as the statements of
// the service would have written them.
interface Session {
  sql(text: string): Promise<unknown>;
}

/** Every job stands where its status says, and nowhere else. */
export async function placeJobs(kiln: Session): Promise<void> {
  await kiln.sql(
    `delete from queued_jobs q using jobs j where q.tenant_id = j.tenant_id and q.id = j.id and j.status <> 'queued'`,
  );
  await kiln.sql(
    `delete from ended_jobs e using jobs j where e.tenant_id = j.tenant_id and e.id = j.id and j.status <> e.status`,
  );
  await kiln.sql(`insert into queued_jobs (tenant_id, created_at, id, fence, space, provider, priority, ready, run_after)
    select tenant_id, created_at, id, fence, space, provider, priority, ready, run_after from jobs where status = 'queued'
    on conflict do nothing`);
  await kiln.sql(`insert into worker_leases (tenant_id, id, worker_id, expires_at, job_ids, fences)
    select tenant_id, id, 'spec', now() + interval '1 hour', array[id], array[fence] from jobs j
    where status = 'processing' and not exists (
      select 1 from worker_leases l where l.tenant_id = j.tenant_id and j.id = any (l.job_ids))`);
  await kiln.sql(`insert into ended_jobs (tenant_id, status, created_at, id, space, ended_at)
    select tenant_id, status, created_at, id, space, coalesce(completed_at, created_at) from jobs
    where status in ('completed', 'failed', 'cancelled') order by completed_at
    on conflict do nothing`);
}
