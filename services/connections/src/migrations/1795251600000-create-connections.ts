import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table connections (
  tenant_id   uuid           not null,
  id          uuid           not null,
  provider    text           not null,
  name        text           not null,
  bucket      text           not null,
  region      text,
  prefix      text           not null default '',
  credentials bytea,
  auth_type   text,
  status      text           not null default 'pending' check (status in ('pending', 'active', 'error')),
  error_code  text,
  error       text,
  version     integer        not null default 1,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  deleted_at  timestamptz(3),
  primary key (tenant_id, id),
  check ((credentials is null) = (auth_type is null)),
  check ((error_code is null) = (error is null)),
  check (deleted_at is null or credentials is null)
);
create index connections_in_order on connections (tenant_id, created_at, id) where deleted_at is null;
create index connections_deleted on connections (deleted_at) where deleted_at is not null;

create table nodes (
  tenant_id     uuid             not null,
  id            uuid             not null,
  connection_id uuid             not null,
  parent_id     uuid             not null,
  is_file       boolean          not null,
  name          text             not null,
  path          text collate "C" not null,
  size_bytes    bigint check (size_bytes >= 0),
  etag          text,
  content_type  text,
  last_modified timestamptz(3),
  seen_at       timestamptz(3)   not null default now(),
  created_at    timestamptz(3)   not null default now(),
  primary key (tenant_id, id),
  check (is_file = (size_bytes is not null))
) with (fillfactor = 85);
create unique index nodes_by_path on nodes (tenant_id, connection_id, path);
create index nodes_of_tenant on nodes (tenant_id, is_file, id);
create index nodes_of_connection on nodes (tenant_id, connection_id, is_file, id);
create index nodes_of_parent on nodes (tenant_id, parent_id, is_file, id);

create table syncs (
  tenant_id       uuid           not null,
  id              uuid           not null,
  connection_id   uuid           not null,
  status          text           not null default 'pending'
                  check (status in ('pending', 'syncing', 'completed', 'failed', 'cancelled')),
  force           boolean        not null default false,
  fence           integer        not null default 0,
  due_at          timestamptz    not null default now(),
  leased          boolean        not null default false,
  failures        integer        not null default 0,
  position        text,
  next_cursor     text,
  listed          boolean        not null default false,
  empty_pages     integer        not null default 0,
  nodes_before    bigint,
  nodes_added     bigint         not null default 0,
  expected_count  bigint,
  synced_count    bigint         not null default 0,
  files_added     bigint         not null default 0,
  files_updated   bigint         not null default 0,
  files_deleted   bigint         not null default 0,
  skipped         bigint         not null default 0,
  error_code      text,
  error_message   text,
  created_at      timestamptz(3) not null default now(),
  started_at      timestamptz(3),
  completed_at    timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 50);
create unique index syncs_one_at_a_time on syncs (tenant_id, connection_id) where status in ('pending', 'syncing');
create index syncs_of_connection on syncs (tenant_id, connection_id, id);
create index syncs_due on syncs (tenant_id, due_at, id) where status in ('pending', 'syncing');

create table served_tenants (
  tenant_id uuid primary key,
  served_at timestamptz not null
);

-- The visible nodes. The nodes of a deleted connection stay until the purge; the view hides them from every statement. In this form the
-- planner keeps the order of an index. A migration that adds a column to \`nodes\` replaces the view too.
create view visible_nodes as
select * from nodes n
where nullif(exists (select 1 from connections c
                     where c.tenant_id = n.tenant_id and c.id = n.connection_id and c.deleted_at is not null), true) is not null;

-- A trigger, so that every deletion of a connection cancels its syncs.
create function cancel_syncs() returns trigger language plpgsql as $$
begin
  update syncs set status = 'cancelled', fence = fence + 1, completed_at = now()
  where tenant_id = new.tenant_id and connection_id = new.id and status in ('pending', 'syncing');
  return null;
end
$$;
create trigger connections_cancel_their_syncs after update on connections for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function cancel_syncs();

create table node_uploads (
  tenant_id     uuid             not null,
  id            uuid             not null,
  connection_id uuid             not null,
  path          text collate "C" not null,
  content_type  text,
  expires_at    timestamptz(3)   not null,
  primary key (tenant_id, id)
);
create index node_uploads_of_connection on node_uploads (tenant_id, connection_id);
create index node_uploads_expired on node_uploads (expires_at);
`;

/** Connections to external buckets, their nodes, syncs and uploads. */
export class CreateConnections1795251600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
