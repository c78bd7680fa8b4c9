import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table jobs (
  tenant_id             uuid           not null,
  id                    uuid           not null,
  file_id               uuid           not null,
  space                 text           not null,
  filename              text           not null,
  content_type          text,
  status                text           not null default 'queued'
                          check (status in ('queued', 'processing', 'completed', 'failed', 'cancelled')),
  ready                 boolean        not null,
  processing            jsonb          not null,
  lane                  text           not null default 'sandbox' check (lane in ('text', 'sandbox')),
  provider              text,
  step                  text,
  progress              real           not null default 0,
  priority              smallint       not null default 0 check (priority in (0, 1)),
  attempts              integer        not null default 0,
  attempts_before_retry integer        not null default 0,
  failures              integer        not null default 0,
  lost_leases           integer        not null default 0,
  fence                 integer        not null default 0,
  due_at                timestamptz    not null default now(),
  worker_id             text,
  lease_expires_at      timestamptz,
  run_started_at        timestamptz(3),
  run_steps             jsonb,
  error                 jsonb,
  batch_id              uuid,
  traceparent           text,
  extraction            jsonb,
  usage                 jsonb          not null default '{}',
  page_hundredths       integer        not null default 100,
  created_at            timestamptz(3) not null default now(),
  started_at            timestamptz(3),
  completed_at          timestamptz(3),
  check ((status = 'processing') = (worker_id is not null) and (worker_id is null) = (lease_expires_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0);
create index jobs_due on jobs (tenant_id, lane, priority, due_at, id) where status = 'queued' and ready;
create index jobs_leased on jobs (lease_expires_at) where lease_expires_at is not null;
create index jobs_by_status on jobs (tenant_id, status, created_at, id);
create index jobs_by_space on jobs (tenant_id, space, status, created_at, id);
create index jobs_by_file on jobs (tenant_id, file_id);
create index jobs_by_end on jobs using brin (completed_at) with (pages_per_range = 8, autosummarize = on);
-- Created last: among indexes of equal cost, as all are on an empty table, the planner takes the last. Prepared statements keep that plan.
alter table jobs add primary key (tenant_id, id);

create table waiting_tenants (
  tenant_id uuid        not null,
  lane      text        not null check (lane in ('text', 'sandbox')),
  due_at    timestamptz not null,
  served_at timestamptz not null default '-infinity',
  primary key (tenant_id, lane)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index waiting_tenants_round_robin on waiting_tenants (lane, served_at, tenant_id);

create table job_attempts (
  tenant_id  uuid           not null,
  job_id     uuid           not null,
  attempt    integer        not null,
  status     text           not null check (status in ('completed', 'failed', 'interrupted', 'cancelled')),
  started_at timestamptz(3) not null,
  ended_at   timestamptz(3) not null,
  error      jsonb,
  steps      jsonb,
  primary key (tenant_id, job_id, attempt)
);
create index job_attempts_by_end on job_attempts using brin (ended_at) with (pages_per_range = 8, autosummarize = on);

create table deleted_files (
  tenant_id  uuid           not null,
  file_id    uuid           not null,
  deleted_at timestamptz(3) not null default now(),
  confirmed  boolean        not null default false,
  primary key (tenant_id, file_id)
);
create index deleted_files_unconfirmed on deleted_files (deleted_at) where not confirmed;
create index deleted_files_by_age on deleted_files (deleted_at);

-- The mode in a tenant's id, as packages/contracts/src/core/mode.ts reads it. Null for any other id.
create function mode_of_tenant(tenant_id uuid) returns text language sql immutable parallel safe
  return case substr(tenant_id::text, 15, 1) when '7' then 'live' when '8' then 'test' end;

create table organization_settings (
  tenant_id               uuid           primary key,
  default_embedding_model text,
  default_chunking        jsonb,
  default_variants        text[],
  search_language         text,
  routing_rules           jsonb          not null default '[]' check (jsonb_typeof(routing_rules) = 'array'),
  updated_at              timestamptz(3) not null default now()
);

create table provider_keys (
  tenant_id  uuid           not null,
  provider   text           not null
               check (provider in ('document_extractor', 'image_extractor', 'audio_extractor', 'embedding', 'chat')),
  sealed     bytea          not null,
  preview    text           not null check (length(preview) <= 5),
  url        text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, provider)
);

create table usage_totals (
  tenant_id  uuid   not null,
  period     date   not null,
  hundredths bigint not null,
  primary key (tenant_id, period)
);

create table usage_entries (
  tenant_id  uuid    not null,
  period     date    not null,
  job_id     uuid    not null,
  fence      integer not null,
  hundredths bigint  not null,
  primary key (tenant_id, period, job_id, fence)
);

create table page_reservations (
  tenant_id   uuid           not null,
  job_id      uuid           not null,
  hundredths  bigint         not null,
  pages_limit bigint         not null,
  reserved_at timestamptz(3) not null,
  expires_at  timestamptz(3) not null,
  primary key (tenant_id, job_id)
);
create index page_reservations_by_expiry on page_reservations (expires_at);

create table queue_measures (
  only_row      boolean     primary key default true check (only_row),
  counted_until timestamptz not null default now(),
  measured_at   timestamptz not null default '-infinity',
  measure       jsonb       not null default '{"queued": [], "processing": []}'
);
insert into queue_measures default values;

create table engines (
  engine  text           primary key,
  state   jsonb          not null,
  used_at timestamptz(3) not null default now()
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create table run_totals (
  tenant_class text   not null,
  provider     text   not null,
  outcome      text   not null,
  runs         bigint not null,
  primary key (tenant_class, provider, outcome)
);
`;

/** The first schema. Its tables are documented by their entities. */
export class CreateJobs1795251600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
