-- kiln: additive
-- A file is processing only as long as it has a job that is not over. One process at a time looks for those that have none.
create table processing_checks (
  only_one     boolean        primary key default true check (only_one),
  next_pass_at timestamptz(3) not null default now()
);
insert into processing_checks default values;
create index files_processing on file_rows (updated_at, tenant_id, id) where status = 'processing';
