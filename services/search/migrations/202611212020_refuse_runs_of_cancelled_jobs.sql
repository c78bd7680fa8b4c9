-- kiln: additive
-- Runs of a job that was cancelled make nothing findable any more: those under a lower fence than this. Kept for longer than
-- any run lasts.
create table refused_run (
  tenant_id  uuid           not null,
  file_id    uuid           not null,
  job_id     uuid           not null,
  fence      integer        not null,
  refused_at timestamptz(3) not null default now(),
  primary key (tenant_id, file_id, job_id)
);
create index refused_run_by_age on refused_run (refused_at);
