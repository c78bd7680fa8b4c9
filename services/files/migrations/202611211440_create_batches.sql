-- kiln: additive
-- Files that were uploaded or processed together. A file may be in several batches over time; a deleted one leaves them.

create table batches (
  tenant_id  uuid           not null,
  id         uuid           not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

create table batch_files (
  tenant_id uuid not null,
  batch_id  uuid not null,
  file_id   uuid not null,
  primary key (tenant_id, batch_id, file_id),
  foreign key (tenant_id, batch_id) references batches on delete cascade,
  foreign key (tenant_id, file_id) references files on delete cascade
);
create index batch_files_by_file on batch_files (tenant_id, file_id);

-- The batch that the newest job was asked for with.
alter table files add column batch_id uuid;
