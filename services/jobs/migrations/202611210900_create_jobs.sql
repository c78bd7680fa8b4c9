-- kiln: additive
-- Jobs are leased rows: a worker that claims one gets a higher fence than any before, and states it with every later write.

create table jobs (
  tenant_id        uuid           not null,
  id               uuid           not null,
  file_id          uuid           not null,
  space            text           not null,
  filename         text           not null,
  content_type     text,
  status           text           not null default 'queued'
                     check (status in ('queued', 'processing', 'completed', 'failed', 'cancelled')),
  -- The bytes of the file are in storage; until then the job waits.
  ready            boolean        not null,
  processing       jsonb          not null,
  provider         text,
  step             text,
  progress         real           not null default 0,
  -- Runs begun, whatever came of them.
  attempts         integer        not null default 0,
  -- Transient failures of the work itself; three end the job.
  failures         integer        not null default 0,
  fence            integer        not null default 0,
  worker_id        text,
  lease_expires_at timestamptz,
  run_after        timestamptz    not null default now(),
  error            jsonb,
  batch_id         uuid,
  created_at       timestamptz(3) not null default now(),
  started_at       timestamptz(3),
  completed_at     timestamptz(3),
  primary key (tenant_id, id)
);
create index jobs_claimable on jobs (tenant_id, run_after, id) where status = 'queued' and ready;
create index jobs_leased on jobs (lease_expires_at) where status = 'processing';
create index jobs_by_created on jobs (tenant_id, created_at, id);

-- Tenants with work, served in turn, so that one with 10,000 jobs delays nobody else's first. Whoever adds a claimable job
-- touches its tenant's row in the same transaction; a claim that finds no job due moves the row to when one will be.
create table waiting_tenants (
  tenant_id uuid        primary key,
  due_at    timestamptz not null,
  served_at timestamptz not null default '-infinity'
);
create index waiting_tenants_in_turn on waiting_tenants (served_at, tenant_id);
