/** SQL: the state of work in the background: files of connections, checks, removals. */
export const BACKGROUND_WORK = `
create table connection_files (
  tenant_id     uuid not null,
  file_id       uuid not null,
  connection_id uuid not null,
  node_id       uuid not null,
  path          text not null,
  primary key (tenant_id, file_id),
  foreign key (tenant_id, file_id) references files on delete cascade
);
create unique index connection_files_by_node on connection_files (tenant_id, node_id);

create table connection_runs (
  tenant_id     uuid           not null,
  batch_id      uuid           not null,
  connection_id uuid           not null,
  processing    jsonb          not null,
  pages_limit   bigint,
  position      uuid,
  fence         integer        not null default 1,
  due_at        timestamptz(3) not null,
  failures      integer        not null default 0,
  created_at    timestamptz(3) not null default now(),
  primary key (tenant_id, batch_id)
);
create index connection_runs_due on connection_runs (due_at);

create table processing_checks (
  only_one boolean        primary key default true check (only_one),
  due_at   timestamptz(3) not null default now()
);
insert into processing_checks default values;

create table object_removals (
  tenant_id      uuid           not null,
  file_id        uuid           not null,
  reason         text           not null check (reason in ('deleted', 'orphaned', 'superseded', 'too_large')),
  requested_at   timestamptz(3) not null default now(),
  due_at         timestamptz    not null default now(),
  attempts       integer        not null default 0,
  writable_until timestamptz(3),
  primary key (tenant_id, file_id)
);
create index object_removals_due on object_removals (due_at);
create index object_removals_waiting on object_removals (requested_at);

create table orphan_searches (
  only_one         boolean        primary key default true check (only_one),
  installation_id  uuid           not null default gen_random_uuid(),
  seen_until       timestamptz(3) not null default '-infinity',
  pass_until       timestamptz(3),
  after_tenant     text           not null default '',
  tenants_cursor   text,
  ids_prefix       text,
  ids_cursor       text,
  ids_in_prefix    bigint         not null default 0,
  ids_seen         bigint         not null default 0,
  obstacle         text           check (obstacle in ('foreign_bucket', 'unmarked_bucket', 'older_database', 'too_many_orphans')),
  due_at           timestamptz(3) not null default now(),
  fence            integer        not null default 0,
  lease_expires_at timestamptz(3) not null default '-infinity'
);
insert into orphan_searches default values;

create table orphan_candidates (
  tenant_id uuid not null,
  file_id   uuid not null,
  primary key (tenant_id, file_id)
);
`;
