-- kiln: additive
-- extensions: btree_gin
-- Every key leads with the tenant, so that the schema can be spread over nodes by tenant. Times carry milliseconds, the
-- precision of a cursor: a finer one would let rows slip between two pages.

create table spaces (
  tenant_id  uuid           not null,
  name       text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, name)
);

create table files (
  tenant_id    uuid           not null,
  id           uuid           not null,
  space        text collate "C" not null,
  filename     text collate "C" not null,
  content_type text,
  size_bytes   bigint check (size_bytes >= 0),
  sha256       text check (length(sha256) = 64),
  status       text           not null check (status in ('uploading', 'uploaded', 'processing', 'completed', 'failed')),
  job_id       uuid,
  -- How many jobs the file has had: the place of `job_id` among them. Ids of jobs are no order, since clocks differ.
  job_number   integer        not null default 0,
  -- Fencing token of the newest run that has touched this file; writes of older runs are refused.
  job_fence    integer        not null default 0,
  metadata     jsonb          not null default '{}',
  processing   jsonb          not null default '{}',
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index files_by_created on files (tenant_id, created_at, id);
create index files_by_updated on files (tenant_id, updated_at, id);
create index files_by_filename on files (tenant_id, filename, id);
create index files_by_size on files (tenant_id, (coalesce(size_bytes, -1)), id);
create index files_by_space on files (tenant_id, space, created_at, id);
create index files_by_status on files (tenant_id, status, created_at, id);
create index files_by_metadata on files using gin (tenant_id, metadata jsonb_path_ops);

create table variants (
  tenant_id    uuid           not null,
  file_id      uuid           not null,
  type         text           not null,
  id           uuid           not null,
  content_type text           not null,
  size_bytes   bigint         not null check (size_bytes >= 0),
  content_key  text           not null,
  provider     text           not null,
  created_at   timestamptz(3) not null default now(),
  primary key (tenant_id, file_id, type),
  foreign key (tenant_id, file_id) references files on delete cascade
);

-- Uploads whose bytes are still to come. Checked with back-off where the store sends no notification.
create table pending_uploads (
  tenant_id     uuid           not null,
  file_id       uuid           not null,
  expires_at    timestamptz(3) not null,
  next_check_at timestamptz(3) not null,
  checks        integer        not null default 0,
  primary key (tenant_id, file_id),
  foreign key (tenant_id, file_id) references files on delete cascade
);
create index pending_uploads_due on pending_uploads (next_check_at);
