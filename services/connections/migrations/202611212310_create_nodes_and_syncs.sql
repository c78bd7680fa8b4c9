-- kiln: additive
-- What buckets hold, as the last sync has found it, and the syncs themselves. Neither has a foreign key to its connection: a
-- connection ends at once, its millions of nodes follow in batches.

create table node_rows (
  tenant_id     uuid             not null,
  id            uuid             not null,
  connection_id uuid             not null,
  -- The folder; the connection itself for what lies in none, so that one index serves both.
  parent_id     uuid             not null,
  -- False for folders, which are listed first.
  is_file       boolean          not null,
  name          text             not null,
  -- The key in the bucket; a folder's ends in a slash, so that it is never a file's as well.
  path          text collate "C" not null,
  size_bytes    bigint check (size_bytes >= 0),
  etag          text,
  content_type  text,
  last_modified timestamptz(3),
  -- When a listing, or an upload, has last met it. In no index: marking a million nodes touches none.
  seen_at       timestamptz(3)   not null default now(),
  created_at    timestamptz(3)   not null default now(),
  primary key (tenant_id, id),
  check (is_file = (size_bytes is not null))
) with (fillfactor = 85);
create unique index node_rows_by_path on node_rows (tenant_id, connection_id, path);
create index node_rows_of_tenant on node_rows (tenant_id, is_file, id);
create index node_rows_of_connection on node_rows (tenant_id, connection_id, is_file, id);
create index node_rows_of_parent on node_rows (tenant_id, parent_id, is_file, id);

-- One walk through a bucket, done in several claims. A claim raises the fence; every write of the walk states it, and changes
-- nothing once the fence or the status is another.
create table syncs (
  tenant_id       uuid           not null,
  id              uuid           not null,
  connection_id   uuid           not null,
  status          text           not null default 'pending'
                  check (status in ('pending', 'syncing', 'completed', 'failed', 'cancelled')),
  -- May remove more nodes than a sync removes by itself.
  force           boolean        not null default false,
  fence           integer        not null default 0,
  -- When a worker may claim it. While one holds it: when its lease ends.
  due_at          timestamptz    not null default now(),
  -- A worker holds it, or has died with it.
  leased          boolean        not null default false,
  -- Claims in a row that have failed or died since the last page that held something.
  failures        integer        not null default 0,
  -- Where the committed pages end: the last key, and the provider's own token for the next page.
  position        text,
  next_cursor     text,
  listed          boolean        not null default false,
  -- In a row, at the end of the committed pages.
  empty_pages     integer        not null default 0,
  -- Files and folders, as the first claim has counted, and those that this sync has added.
  nodes_before    bigint,
  nodes_added     bigint         not null default 0,
  -- As the last complete sync has counted.
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

-- When a tenant was last given a worker, so that tenants take turns whatever number of syncs they have.
create table sync_turns (
  tenant_id uuid primary key,
  served_at timestamptz not null
);

-- What can be seen: no statement can forget to leave out the nodes of a deleted connection, whose row stays until they are gone. In
-- this form the planner keeps the order of an index. Whoever adds a column adds it to `node_rows`, and makes the view anew.
create view nodes as
select * from node_rows n
where nullif(exists (select 1 from connections c
                     where c.tenant_id = n.tenant_id and c.id = n.connection_id and c.deleted_at is not null), true) is not null;

-- Part of the deletion itself, so that no code path can forget it.
create function cancel_syncs() returns trigger language plpgsql as $$
begin
  update syncs set status = 'cancelled', fence = fence + 1, completed_at = now()
  where tenant_id = new.tenant_id and connection_id = new.id and status in ('pending', 'syncing');
  return null;
end
$$;
create trigger connections_cancel_their_syncs after update on connections for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function cancel_syncs();

-- Uploads into buckets that were announced: the id is that of the node to be. Kept a day longer than their URLs live.
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
