-- kiln: additive
-- Deleting: rows go at once, what they stood for follows.

-- Objects that are to go: everything under `<tenant>/<file>/`. A claim pushes the next attempt into the future, which is its
-- lease; `attempts` is its fence.
create table object_removals (
  tenant_id       uuid           not null,
  file_id         uuid           not null,
  -- 'deleted': the file is gone. 'orphaned': there never was a file, or it is long gone. 'superseded': only what no
  -- variant of the file points to any more. 'too_large': the bytes that were uploaded, if they are over the limit.
  reason          text           not null check (reason in ('deleted', 'orphaned', 'superseded', 'too_large')),
  requested_at    timestamptz(3) not null default now(),
  next_attempt_at timestamptz    not null default now(),
  attempts        integer        not null default 0,
  -- A run or a signed URL may still write until then: removed once more after that.
  writable_until  timestamptz(3),
  primary key (tenant_id, file_id)
);
create index object_removals_due on object_removals (next_attempt_at);
create index object_removals_waiting on object_removals (requested_at);

-- Spaces whose files are being deleted: those made until `cutoff`. The files of a space of the same name that come later live.
create table space_deletions (
  tenant_id       uuid           not null,
  space           text collate "C" not null,
  cutoff          timestamptz(3) not null,
  next_attempt_at timestamptz    not null default now(),
  fence           integer        not null default 0,
  primary key (tenant_id, space)
);
create index space_deletions_due on space_deletions (next_attempt_at);

-- `files` is what can be seen: no statement can forget to leave out the files of a deleted space. The subquery is one probe
-- of a table that is empty most of the time. In this form the planner neither turns it into a join, which would lose the
-- order of an index, nor takes it to leave out many rows: it guesses 0.5 %. Whoever adds a column or an index does
-- that on `file_rows`, and makes the view anew.
alter table files rename to file_rows;
create view files as
select * from file_rows f
where nullif(exists (select 1 from space_deletions d
                     where d.tenant_id = f.tenant_id and d.space = f.space and d.cutoff >= f.created_at), true) is not null;

-- The counts of a deleted space go with its row in `spaces`: its files are not counted out again one by one. A statement
-- deletes either files that can be seen or files of deleted spaces. What was counted while its space was being
-- deleted (the statement waited for that) would count in the wrong space: it is undone, and its caller tries again.
create or replace function count_files() returns trigger language plpgsql as $$
begin
  -- In the order of the key, so that two statements never wait for each other.
  if tg_op = 'INSERT' then
    insert into spaces (tenant_id, name) select distinct tenant_id, space from added order by 1, 2 on conflict do nothing;
    insert into space_counts as c (tenant_id, space, status, slot, files, size_bytes)
    select tenant_id, space, status, pg_backend_pid() % 8, count(*), sum(coalesce(size_bytes, 0))
    from added group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, space, status, slot) do update
      set files = c.files + excluded.files, size_bytes = c.size_bytes + excluded.size_bytes;
    if exists (select 1 from space_deletions d join added f using (tenant_id, space) where f.created_at <= d.cutoff) then
      raise exception 'the space is being deleted' using errcode = 'serialization_failure';
    end if;
  elsif tg_op = 'DELETE' then
    if exists (select 1 from space_deletions d join removed f using (tenant_id, space) where f.created_at <= d.cutoff) then
      return null;
    end if;
    insert into space_counts as c (tenant_id, space, status, slot, files, size_bytes)
    select tenant_id, space, status, pg_backend_pid() % 8, -count(*), -sum(coalesce(size_bytes, 0))
    from removed group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, space, status, slot) do update
      set files = c.files + excluded.files, size_bytes = c.size_bytes + excluded.size_bytes;
    if exists (select 1 from space_deletions d join removed f using (tenant_id, space) where f.created_at <= d.cutoff) then
      raise exception 'the space is being deleted' using errcode = 'serialization_failure';
    end if;
  else
    insert into space_counts as c (tenant_id, space, status, slot, files, size_bytes)
    select tenant_id, space, status, pg_backend_pid() % 8, sum(files), sum(bytes)
    from (select tenant_id, space, status, 1 as files, coalesce(size_bytes, 0) as bytes from added
          union all
          select tenant_id, space, status, -1, -coalesce(size_bytes, 0) from removed) changes
    group by 1, 2, 3 having sum(files) <> 0 or sum(bytes) <> 0 order by 1, 2, 3
    on conflict (tenant_id, space, status, slot) do update
      set files = c.files + excluded.files, size_bytes = c.size_bytes + excluded.size_bytes;
    if exists (select 1 from space_deletions d join added f using (tenant_id, space) where f.created_at <= d.cutoff) then
      raise exception 'the space is being deleted' using errcode = 'serialization_failure';
    end if;
  end if;
  return null;
end
$$;
