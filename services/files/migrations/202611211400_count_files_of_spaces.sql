-- kiln: additive
-- How many files each space has, by status, and their bytes: kept by the database itself, in the transaction of the change, so
-- that no code path can forget it. A space's counts are spread over slots, one per server process modulo 8, since a
-- single row would let the uploads into one space wait for each other's commits. Reading adds up at most 8 × 5 rows.
--
-- The counts also guard the end of a space: whoever deletes one locks its row in `spaces`, then these rows, and so waits for
-- every file that is being added; a file that comes after that makes the space anew, or is refused by the foreign key.

create table space_counts (
  tenant_id  uuid             not null,
  space      text collate "C" not null,
  status     text             not null,
  slot       smallint         not null,
  files      bigint           not null,
  size_bytes bigint           not null,
  primary key (tenant_id, space, status, slot),
  foreign key (tenant_id, space) references spaces (tenant_id, name) on delete cascade
) with (fillfactor = 50);

create function count_files() returns trigger language plpgsql as $$
begin
  -- In the order of the key, so that two statements never wait for each other.
  if tg_op = 'INSERT' then
    insert into spaces (tenant_id, name) select distinct tenant_id, space from added order by 1, 2 on conflict do nothing;
    insert into space_counts as c (tenant_id, space, status, slot, files, size_bytes)
    select tenant_id, space, status, pg_backend_pid() % 8, count(*), sum(coalesce(size_bytes, 0))
    from added group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, space, status, slot) do update
      set files = c.files + excluded.files, size_bytes = c.size_bytes + excluded.size_bytes;
  elsif tg_op = 'DELETE' then
    insert into space_counts as c (tenant_id, space, status, slot, files, size_bytes)
    select tenant_id, space, status, pg_backend_pid() % 8, -count(*), -sum(coalesce(size_bytes, 0))
    from removed group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, space, status, slot) do update
      set files = c.files + excluded.files, size_bytes = c.size_bytes + excluded.size_bytes;
  else
    insert into space_counts as c (tenant_id, space, status, slot, files, size_bytes)
    select tenant_id, space, status, pg_backend_pid() % 8, sum(files), sum(bytes)
    from (select tenant_id, space, status, 1 as files, coalesce(size_bytes, 0) as bytes from added
          union all
          select tenant_id, space, status, -1, -coalesce(size_bytes, 0) from removed) changes
    group by 1, 2, 3 having sum(files) <> 0 or sum(bytes) <> 0 order by 1, 2, 3
    on conflict (tenant_id, space, status, slot) do update
      set files = c.files + excluded.files, size_bytes = c.size_bytes + excluded.size_bytes;
  end if;
  return null;
end
$$;

create trigger files_are_counted_when_added after insert on files
  referencing new table as added for each statement execute function count_files();
create trigger files_are_counted_when_changed after update on files
  referencing old table as removed new table as added for each statement execute function count_files();
create trigger files_are_counted_when_removed after delete on files
  referencing old table as removed for each statement execute function count_files();

-- The triggers have locked out writers until this commits: what is counted here is exact.
insert into spaces (tenant_id, name) select distinct tenant_id, space from files on conflict do nothing;
insert into space_counts (tenant_id, space, status, slot, files, size_bytes)
select tenant_id, space, status, 0, count(*), sum(coalesce(size_bytes, 0)) from files group by 1, 2, 3;
