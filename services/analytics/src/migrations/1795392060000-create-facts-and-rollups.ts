import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const FACTS = `
create table file_facts (
  tenant_id    uuid           not null,
  file_id      uuid           not null,
  version      bigint         not null,
  status       text collate "C",
  space        text collate "C"           not null,
  content_type text collate "C"           not null,
  size_bytes   bigint         not null,
  jobs         integer        not null,
  variants     integer        not null,
  created_at   timestamptz(3) not null,
  deleted_at   timestamptz(3),
  primary key (tenant_id, file_id),
  check ((status is null) = (deleted_at is not null))
) with (fillfactor = 90);
create index file_facts_deleted on file_facts (tenant_id, file_id) where deleted_at is not null;

create table job_outcomes (
  tenant_id   uuid           not null,
  file_id     uuid           not null,
  job_id      uuid           not null,
  fence       integer        not null,
  status      text collate "C"           not null check (status in ('completed', 'failed', 'retried')),
  ended_at    timestamptz(3) not null,
  provider    text collate "C",
  duration_ms integer,
  reason      text collate "C",
  message     text,
  filename    text,
  is_latest   boolean        not null,
  primary key (tenant_id, file_id, job_id, fence)
);
create index job_outcomes_failed on job_outcomes (tenant_id, ended_at desc, job_id desc) where status = 'failed' and is_latest;

create table connection_facts (
  tenant_id     uuid    not null,
  connection_id uuid    not null,
  deleted       boolean not null,
  primary key (tenant_id, connection_id)
);
`;

/** A few rows change all the time. The free space on each page lets an update stay on its page. */
const HOT = 'with (fillfactor = 50)';

const ROLLUPS = `
create table tenant_totals (
  tenant_id      uuid   primary key,
  uploading      bigint not null default 0,
  uploaded       bigint not null default 0,
  processing     bigint not null default 0,
  completed      bigint not null default 0,
  failed         bigint not null default 0,
  size_bytes     bigint not null default 0,
  jobs           bigint not null default 0,
  variants       bigint not null default 0,
  jobs_completed bigint not null default 0,
  jobs_failed    bigint not null default 0,
  connections    bigint not null default 0
) ${HOT};

create table space_totals (
  tenant_id uuid   not null,
  space     text collate "C"   not null,
  files     bigint not null default 0,
  completed bigint not null default 0,
  failed    bigint not null default 0,
  primary key (tenant_id, space)
) ${HOT};
create index space_totals_by_files on space_totals (tenant_id, files, space);

create table type_totals (
  tenant_id    uuid   not null,
  content_type text collate "C"   not null,
  files        bigint not null default 0,
  size_bytes   bigint not null default 0,
  primary key (tenant_id, content_type)
) ${HOT};

create table activity (
  tenant_id      uuid           not null,
  grain          text collate "C"           not null,
  starts_at      timestamptz(3) not null,
  uploads        bigint         not null default 0,
  uploaded_bytes bigint         not null default 0,
  stored_bytes   bigint         not null default 0,
  completed      bigint         not null default 0,
  failed         bigint         not null default 0,
  primary key (tenant_id, grain, starts_at)
) ${HOT};

create table provider_activity (
  tenant_id   uuid           not null,
  grain       text collate "C"           not null,
  starts_at   timestamptz(3) not null,
  provider    text collate "C"           not null,
  completed   bigint         not null default 0,
  failed      bigint         not null default 0,
  duration_ms bigint         not null default 0,
  primary key (tenant_id, grain, starts_at, provider)
) ${HOT};

create table run_durations (
  tenant_id uuid           not null,
  grain     text collate "C"           not null,
  starts_at timestamptz(3) not null,
  buckets   smallint[]     not null,
  runs      integer[]      not null,
  primary key (tenant_id, grain, starts_at)
) ${HOT};

create table failure_reasons (
  tenant_id uuid           not null,
  reason    text collate "C"           not null,
  failures  bigint         not null default 0,
  last_seen timestamptz(3) not null,
  primary key (tenant_id, reason)
) ${HOT};

create table reconciliation (
  only_row       boolean        primary key default true check (only_row),
  due_at         timestamptz(3) not null default now(),
  compared_at    timestamptz(3),
  last_tenant_id uuid,
  tenants        integer        not null default 0,
  drift          jsonb          not null default '{}',
  fence          integer        not null default 0
);
insert into reconciliation default values;
`;

/** Facts, and the rollups that are maintained from them. */
export class CreateFactsAndRollups1795392060000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FACTS);
    await runner.query(ROLLUPS);
  }
}
