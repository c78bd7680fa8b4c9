/** SQL: the number and the size of the files of each space, which triggers maintain. */
export const SPACE_COUNTS = `
create table space_counts (
  tenant_id  uuid     not null,
  space_id   uuid     not null,
  slot       smallint not null,
  uploading  bigint   not null,
  uploaded   bigint   not null,
  processing bigint   not null,
  completed  bigint   not null,
  failed     bigint   not null,
  size_bytes bigint   not null,
  primary key (tenant_id, space_id, slot),
  foreign key (tenant_id, space_id) references spaces on delete cascade
) with (fillfactor = 50);

create function count_added_files() returns trigger language plpgsql as $$
begin
  -- Rows are written in the order of the key, so that two statements cannot deadlock.
  insert into space_counts as c
    (tenant_id, space_id, slot, uploading, uploaded, processing, completed, failed, size_bytes)
  select tenant_id, space_id, pg_backend_pid() % 8,
    count(*) filter (where status = 'uploading'), count(*) filter (where status = 'uploaded'),
    count(*) filter (where status = 'processing'), count(*) filter (where status = 'completed'),
    count(*) filter (where status = 'failed'), coalesce(sum(size_bytes), 0)
  from added group by 1, 2 order by 1, 2
  on conflict (tenant_id, space_id, slot) do update
    set uploading = c.uploading + excluded.uploading, uploaded = c.uploaded + excluded.uploaded,
        processing = c.processing + excluded.processing, completed = c.completed + excluded.completed,
        failed = c.failed + excluded.failed, size_bytes = c.size_bytes + excluded.size_bytes;
  return null;
end
$$;

-- An existing file has been counted, so its space has at least one row. If it has none, the space was deleted, and there is nothing to
-- count.
create function change_space_counts(change space_counts) returns void language plpgsql as $$
begin
  if (change.uploading, change.uploaded, change.processing, change.completed, change.failed, change.size_bytes)
     = (0, 0, 0, 0, 0, 0) then
    return;
  end if;
  update space_counts c
  set uploading = c.uploading + change.uploading, uploaded = c.uploaded + change.uploaded,
      processing = c.processing + change.processing, completed = c.completed + change.completed,
      failed = c.failed + change.failed, size_bytes = c.size_bytes + change.size_bytes
  where c.tenant_id = change.tenant_id and c.space_id = change.space_id and c.slot = change.slot;
  if found then return; end if;
  select min(slot) into change.slot from space_counts c
  where c.tenant_id = change.tenant_id and c.space_id = change.space_id;
  if change.slot is not null then perform change_space_counts(change); end if;
end
$$;

create function count_changed_files() returns trigger language plpgsql as $$
declare
  change space_counts;
begin
  -- Rows are written in the order of the key, so that two statements cannot deadlock.
  for change in
    select tenant_id, space_id, pg_backend_pid() % 8,
      sum(files * (status = 'uploading')::int), sum(files * (status = 'uploaded')::int),
      sum(files * (status = 'processing')::int), sum(files * (status = 'completed')::int),
      sum(files * (status = 'failed')::int), sum(files * coalesce(size_bytes, 0))
    from (select tenant_id, space_id, status, size_bytes, 1 as files from added
          union all
          select tenant_id, space_id, status, size_bytes, -1 from removed) changes
    group by 1, 2 order by 1, 2
  loop
    perform change_space_counts(change);
  end loop;
  return null;
end
$$;

create function count_removed_files() returns trigger language plpgsql as $$
declare
  change space_counts;
begin
  for change in
    select tenant_id, space_id, pg_backend_pid() % 8,
      -count(*) filter (where status = 'uploading'), -count(*) filter (where status = 'uploaded'),
      -count(*) filter (where status = 'processing'), -count(*) filter (where status = 'completed'),
      -count(*) filter (where status = 'failed'), -coalesce(sum(size_bytes), 0)
    from removed group by 1, 2 order by 1, 2
  loop
    perform change_space_counts(change);
  end loop;
  return null;
end
$$;

create trigger files_are_counted_when_added after insert on files
  referencing new table as added for each statement execute function count_added_files();
create trigger files_are_counted_when_changed after update on files
  referencing old table as removed new table as added for each statement execute function count_changed_files();
create trigger files_are_counted_when_removed after delete on files
  referencing old table as removed for each statement execute function count_removed_files();
`;
