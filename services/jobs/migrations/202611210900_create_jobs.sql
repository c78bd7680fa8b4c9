-- kiln: additive
-- Jobs, the queue that they wait in, and what organizations have set. Jobs are leased: a worker that claims one gets a higher fence
-- than any before, and states it with every later write.

create table jobs (
  tenant_id             uuid           not null,
  id                    uuid           not null,
  file_id               uuid           not null,
  space                 text           not null,
  filename              text           not null,
  content_type          text,
  status                text           not null default 'queued'
                          check (status in ('queued', 'processing', 'completed', 'failed', 'cancelled')),
  -- The bytes of the file are in storage; until then the job waits.
  ready                 boolean        not null,
  processing            jsonb          not null,
  provider              text,
  step                  text,
  progress              real           not null default 0,
  -- Of one tenant's jobs, those of a single upload (0) go before those of a batch (1).
  priority              smallint       not null default 0 check (priority in (0, 1)),
  -- Runs begun, whatever came of them.
  attempts              integer        not null default 0,
  -- What `attempts` was when the job was last retried by a caller: the limit on runs begins anew, the count goes on.
  attempts_before_retry integer        not null default 0,
  -- Transient failures of the work itself; three end the job.
  failures              integer        not null default 0,
  -- Runs whose worker died or was cut off. A job that keeps taking workers down is ended.
  lost_leases           integer        not null default 0,
  fence                 integer        not null default 0,
  run_after             timestamptz    not null default now(),
  error                 jsonb,
  batch_id              uuid,
  -- What its steps have used: {extraction?: {key, page_count, characters, duration_seconds}, embedding?: {key, model, chunks, tokens}}.
  usage                 jsonb          not null default '{}',
  -- What the job counts for once it completes, in hundredths of a page (work with the organization's own key counts 60 for one).
  page_hundredths       integer        not null default 100,
  -- Of the run that is under way.
  run_started_at        timestamptz(3),
  run_steps             jsonb,
  created_at            timestamptz(3) not null default now(),
  started_at            timestamptz(3),
  completed_at          timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 50);
create index jobs_by_file on jobs (tenant_id, file_id);

-- Where a job stands is kept in narrow tables, whose rows come and go with the job's status, in the same statement: a job's own row
-- is changed in place, and no index knows of what changes.

-- status = 'queued'.
create table queued_jobs (
  tenant_id  uuid           not null,
  created_at timestamptz(3) not null,
  id         uuid           not null,
  -- The job's: a row of an earlier stay in the queue is told from the one of now.
  fence      integer        not null,
  space      text           not null,
  -- What limits on running jobs are counted by.
  provider   text,
  priority   smallint       not null,
  ready      boolean        not null,
  run_after  timestamptz    not null,
  primary key (tenant_id, created_at, id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index queued_jobs_in_turn on queued_jobs (tenant_id, priority, run_after, id) where ready;
create index queued_jobs_by_space on queued_jobs (tenant_id, space, created_at, id);

-- status = 'processing'. One lease for all jobs that a worker took of a tenant at once; whether a job still runs stands in its own
-- row, under its fence. A lease outlives the runs it was for by a moment, and then says nothing.
create table worker_leases (
  tenant_id  uuid        not null,
  id         uuid        not null,
  worker_id  text        not null,
  expires_at timestamptz not null,
  job_ids    uuid[]      not null,
  -- Of the runs, in the order of their jobs.
  fences     integer[]   not null,
  primary key (tenant_id, id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
-- Ids don't get shorter by being compressed.
alter table worker_leases alter column job_ids set storage external, alter column fences set storage external;

-- status = 'completed', 'failed' or 'cancelled'.
create table ended_jobs (
  tenant_id  uuid           not null,
  status     text           not null check (status in ('completed', 'failed', 'cancelled')),
  created_at timestamptz(3) not null,
  id         uuid           not null,
  space      text           not null,
  ended_at   timestamptz(3) not null,
  primary key (tenant_id, status, created_at, id)
);
create index ended_jobs_by_space on ended_jobs (tenant_id, space, status, created_at, id);
-- Written in the order of time, so the newest are found by the block.
create index ended_jobs_by_end on ended_jobs using brin (ended_at) with (pages_per_range = 8, autosummarize = on);

-- What is deleted stands nowhere.
create function leave_stage() returns trigger language plpgsql as $$
begin
  delete from queued_jobs where tenant_id = old.tenant_id and created_at = old.created_at and id = old.id;
  delete from ended_jobs
  where tenant_id = old.tenant_id and status = old.status and created_at = old.created_at and id = old.id;
  return null;
end $$;
create trigger jobs_leave_stage after delete on jobs for each row execute function leave_stage();

-- Tenants with work, served in turn, so that one with 10,000 jobs delays nobody else's first. Whoever adds a claimable job
-- touches its tenant's row in the same transaction; a claim that finds no job due moves the row to when one will be.
create table waiting_tenants (
  tenant_id uuid        primary key,
  due_at    timestamptz not null,
  served_at timestamptz not null default '-infinity'
);
create index waiting_tenants_in_turn on waiting_tenants (served_at, tenant_id);

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
-- Written in the order of time, so the newest are found by the block.
create index job_attempts_by_end on job_attempts using brin (ended_at) with (pages_per_range = 8, autosummarize = on);

-- A file that was deleted has no jobs, and gets none: also not from a request that was sent before and arrives after. Kept for
-- longer than the stream keeps events.
create table deleted_files (
  tenant_id  uuid           not null,
  file_id    uuid           not null,
  deleted_at timestamptz(3) not null default now(),
  -- Looked at once more, when every transaction has ended that may have made a job without seeing this row.
  confirmed  boolean        not null default false,
  primary key (tenant_id, file_id)
);
create index deleted_files_unconfirmed on deleted_files (deleted_at) where not confirmed;
create index deleted_files_by_age on deleted_files (deleted_at);

-- What belongs to an organization itself lies under the tenant of its live plane, and holds for its test plane, too.

-- As packages/contracts/src/core/mode.ts reads it from the id; null for an id that is no tenant's.
create function mode_of_tenant(tenant_id uuid) returns text language sql immutable parallel safe
  return case substr(tenant_id::text, 15, 1) when '7' then 'live' when '8' then 'test' end;

-- One row, so that a change of all rules is one write, and a new job finds everything in one look-up. Null: never set.
create table organization_settings (
  tenant_id               uuid           primary key,
  default_embedding_model text,
  default_chunking        jsonb,
  default_variants        text[],
  -- Array of {content_type, provider}, in the order in which they were given.
  routing_rules           jsonb          not null default '[]' check (jsonb_typeof(routing_rules) = 'array'),
  updated_at              timestamptz(3) not null default now()
);

create table provider_keys (
  tenant_id  uuid           not null,
  provider   text           not null
               check (provider in ('document_extractor', 'image_extractor', 'audio_extractor', 'embedding', 'chat')),
  -- By packages/platform's Sealer; the row is its place.
  sealed     bytea          not null,
  preview    text           not null check (length(preview) <= 5),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, provider)
);

-- Pages used, summed up by month. Only the summing up writes here, so nothing that completes a job waits for a row of its tenant's.
create table usage_totals (
  tenant_id  uuid   not null,
  -- The first day of the month, in UTC.
  period     date   not null,
  hundredths bigint not null,
  primary key (tenant_id, period)
);

-- Pages of completed runs that are not summed up yet: what was used is this and the total.
create table usage_entries (
  tenant_id  uuid    not null,
  period     date    not null,
  job_id     uuid    not null,
  fence      integer not null,
  hundredths integer not null,
  primary key (tenant_id, period, job_id, fence)
);

-- Room for the pages of a job that was or is about to be accepted, under a plan that ends hard. Whether it still counts is read from the job: see
-- page-reservation.store.ts.
create table page_reservations (
  tenant_id   uuid           not null,
  job_id      uuid           not null,
  -- One page, or all of them once they are known.
  hundredths  bigint         not null,
  -- Of the plan, when the job was accepted.
  pages_limit bigint         not null,
  reserved_at timestamptz(3) not null,
  -- Until then it counts without a job.
  expires_at  timestamptz(3) not null,
  primary key (tenant_id, job_id)
);
create index page_reservations_by_expiry on page_reservations (expires_at);

-- What the metrics show of the queue: measured now and then by one process, read by all.

create table queue_measure (
  only_row      boolean     primary key default true check (only_row),
  -- Runs that ended until then are in `run_totals`.
  counted_until timestamptz not null default now(),
  measured_at   timestamptz not null default '-infinity',
  measure       jsonb       not null default '{"queued": [], "processing": []}'
);
insert into queue_measure default values;

-- Runs that have ended since the installation measures them.
create table run_totals (
  tenant_class text   not null,
  provider     text   not null,
  outcome      text   not null,
  runs         bigint not null,
  primary key (tenant_class, provider, outcome)
);
