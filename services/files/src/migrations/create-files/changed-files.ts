/** SQL: files whose changes have not been announced yet. */
export const CHANGED_FILES = `
-- The changes that other services have to learn. A worker announces the present states of the files of these rows and deletes the
-- rows. A statement adds a row for the files of a tenant that it has changed, while it holds their rows. So among the changes of
-- a file, a later one has a higher sequence. A new file has an event of its own.
create table changed_files (
  sequence  bigint generated always as identity primary key,
  tenant_id uuid   not null,
  file_ids  uuid[] not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create function note_changed_files() returns trigger language plpgsql as $$
begin
  insert into changed_files (tenant_id, file_ids) select tenant_id, array_agg(id) from added group by tenant_id;
  return null;
end
$$;

create trigger files_are_noted_when_changed after update on files
  referencing new table as added for each statement execute function note_changed_files();
`;
