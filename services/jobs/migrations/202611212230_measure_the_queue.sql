-- kiln: additive
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

-- Attempts are written in the order of time, so the newest are found by the block.
create index job_attempts_by_end on job_attempts using brin (ended_at) with (pages_per_range = 8, autosummarize = on);
