-- kiln: additive
-- Files whose bytes lie in a connected bucket: where, and the node they were made of. A deleted file frees its node for a new one.

create table connection_files (
  tenant_id     uuid not null,
  file_id       uuid not null,
  connection_id uuid not null,
  node_id       uuid not null,
  -- The key in the bucket.
  path          text not null,
  primary key (tenant_id, file_id),
  foreign key (tenant_id, file_id) references file_rows on delete cascade
);
create unique index connection_files_by_node on connection_files (tenant_id, node_id);

-- Connections whose files are being queued, page after page of their nodes. A claim raises the fence; whoever queues a page moves
-- the position in the same transaction. The row goes with the last page.
create table connection_runs (
  tenant_id     uuid           not null,
  batch_id      uuid           not null,
  connection_id uuid           not null,
  processing    jsonb          not null,
  -- Where the plan ends hard; null where it does not.
  pages_limit   bigint,
  -- The last node that was looked at.
  position      uuid,
  fence         integer        not null default 1,
  leased_until  timestamptz(3) not null,
  failures      integer        not null default 0,
  created_at    timestamptz(3) not null default now(),
  primary key (tenant_id, batch_id)
);
create index connection_runs_due on connection_runs (leased_until);
