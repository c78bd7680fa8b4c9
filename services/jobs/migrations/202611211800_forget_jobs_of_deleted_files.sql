-- kiln: additive
-- A file that was deleted has no jobs, and gets none: also not from a request that was sent before and arrives after.

create index jobs_by_file on jobs (tenant_id, file_id);

-- Kept for longer than the stream keeps events.
create table deleted_files (
  tenant_id  uuid           not null,
  file_id    uuid           not null,
  deleted_at timestamptz(3) not null default now(),
  -- Looked at once more, when every transaction has ended that may have made a job without seeing this row.
  confirmed  boolean        not null default false,
  primary key (tenant_id, file_id)
);
create index deleted_files_unconfirmed on deleted_files (deleted_at) where not confirmed;
create index deleted_files_by_age on deleted_files (deleted_at);
