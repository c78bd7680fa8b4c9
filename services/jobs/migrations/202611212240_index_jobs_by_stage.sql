-- kiln: additive
-- Each stage of a job has indexes of its own, so that the beginning of a run writes to those of running jobs alone, and the
-- renewal of a lease to none. Running jobs are as many as workers have room for: who looks for some reads them all.
create index jobs_queued on jobs (tenant_id, created_at, id) where status = 'queued';
create index jobs_queued_by_space on jobs (tenant_id, space, created_at, id) where status = 'queued';
create index jobs_running on jobs (tenant_id, id) where status = 'processing';
create index jobs_ended on jobs (tenant_id, status, created_at, id)
  where status in ('completed', 'failed', 'cancelled');
create index jobs_ended_by_space on jobs (tenant_id, space, status, created_at, id)
  where status in ('completed', 'failed', 'cancelled');
drop index jobs_by_status;
drop index jobs_by_space;
drop index jobs_leased;
