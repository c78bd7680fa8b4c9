/** SQL: files and the indexes of their lists. */
export const FILES = `
create table files (
  tenant_id    uuid             not null,
  id           uuid             not null,
  space_id     uuid             not null,
  filename     text collate "C" not null,
  content_type text,
  size_bytes   bigint           check (size_bytes >= 0),
  sha256       text             check (length(sha256) = 64),
  source_etag  text,
  status       text             not null check (status in ('uploading', 'uploaded', 'processing', 'completed', 'failed')),
  job_id       uuid,
  job_number   integer          not null default 0,
  job_fence    integer          not null default 0,
  batch_id     uuid,
  metadata     jsonb            not null default '{}',
  processing   jsonb            not null default '{}',
  created_at   timestamptz(3)   not null default now(),
  updated_at   timestamptz(3)   not null default now(),
  primary key (tenant_id, id)
);

create index files_by_status_created on files (tenant_id, status, created_at, id);
create index files_by_status_updated on files (tenant_id, status, updated_at, id);
create index files_by_status_filename on files (tenant_id, status, filename, id);
create index files_by_status_size on files (tenant_id, status, (coalesce(size_bytes, -1)), id) include (size_bytes);
create index files_by_space_created on files (tenant_id, space_id, status, created_at, id);
create index files_by_space_updated on files (tenant_id, space_id, status, updated_at, id);
create index files_by_space_filename on files (tenant_id, space_id, status, filename, id);
create index files_by_space_size on files (tenant_id, space_id, status, (coalesce(size_bytes, -1)), id) include (size_bytes);
create index files_by_metadata on files using gin (tenant_id, metadata jsonb_path_ops);
create index files_processing on files (updated_at, tenant_id, id) where status = 'processing';
`;
