-- kiln: additive
-- What came of each run of a job. A row is written by the statement that ends the run, whoever ends it: its worker, the
-- reclaim of a lease that ran out, or a caller's cancel. A run that is under way is known by its job's row alone.
create table job_attempts (
  tenant_id  uuid           not null,
  job_id     uuid           not null,
  attempt    integer        not null,
  status     text           not null check (status in ('completed', 'failed', 'interrupted', 'cancelled')),
  started_at timestamptz(3) not null,
  ended_at   timestamptz(3) not null,
  error      jsonb,
  -- The steps that began, in order; the last may still be open, and ended as the run did. Null when none began.
  steps      jsonb,
  primary key (tenant_id, job_id, attempt)
);

-- Of the run that is under way.
alter table jobs add column run_started_at timestamptz(3);
alter table jobs add column run_steps jsonb;
