/** SQL: batches, their files, and the number of files by outcome, which triggers maintain. */
const addChanges = `on conflict (tenant_id, batch_id, slot) do update
    set total = c.total + excluded.total, completed = c.completed + excluded.completed,
        failed = c.failed + excluded.failed, cancelled = c.cancelled + excluded.cancelled`;
/** Sums of \`files\` by outcome; \`from\` has the columns tenant_id, batch_id, outcome, files. */
const countInto = (from: string) => `
  -- Rows are written in the order of the key, so that two statements cannot deadlock.
  insert into batch_counts as c (tenant_id, batch_id, slot, total, completed, failed, cancelled)
  select tenant_id, batch_id, pg_backend_pid() % 8, sum(files), sum(files * (outcome = 'completed')::int),
    sum(files * (outcome = 'failed')::int), sum(files * (outcome = 'cancelled')::int)
  from (${from}) changes group by 1, 2 order by 1, 2
  ${addChanges};`;
const outcomeOf = (file: string) => `batch_outcome(${file}.status, ${file}.job_id, ${file}.job_fence)`;

export const BATCHES = `
create table batches (
  tenant_id  uuid           not null,
  id         uuid           not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

-- The trigger that counts deleted files also deletes their rows here. So the reference is checked at the commit.
create table batch_files (
  tenant_id uuid not null,
  batch_id  uuid not null,
  file_id   uuid not null,
  primary key (tenant_id, batch_id, file_id),
  foreign key (tenant_id, batch_id) references batches on delete cascade,
  foreign key (tenant_id, file_id) references files deferrable initially deferred
);
create index batch_files_by_file on batch_files (tenant_id, file_id);

-- A count may be negative in one slot: a file may be added by one server process and deleted by another.
create table batch_counts (
  tenant_id uuid     not null,
  batch_id  uuid     not null,
  slot      smallint not null,
  total     bigint   not null,
  completed bigint   not null,
  failed    bigint   not null,
  cancelled bigint   not null,
  primary key (tenant_id, batch_id, slot),
  foreign key (tenant_id, batch_id) references batches on delete cascade
) with (fillfactor = 50);

-- Only a cancellation raises the fence of a file that no run has begun to process, or returns it to uploaded.
create function batch_outcome(status text, job_id uuid, job_fence integer) returns text language sql immutable parallel safe as $$
  select case
    when status in ('completed', 'failed') then status
    when status = 'uploaded' and job_id is null then 'completed'
    when status in ('uploading', 'uploaded') and job_fence > 0 then 'cancelled'
    else 'in_progress'
  end
$$;

-- The shared lock holds the files: otherwise neither this trigger nor that of a concurrent change would count the change.
create function count_batch_files_added() returns trigger language plpgsql as $$
begin
  ${countInto(`
    select a.tenant_id, a.batch_id, ${outcomeOf('f')} as outcome, 1 as files
    from added a join lateral (
      select status, job_id, job_fence from files where tenant_id = a.tenant_id and id = a.file_id for share
    ) f on true`)}
  return null;
end
$$;

create function count_batch_files_changed() returns trigger language plpgsql as $$
begin
  ${countInto(`
    select m.tenant_id, m.batch_id, change.outcome, change.files
    from removed r join added a using (tenant_id, id)
      cross join lateral (values (${outcomeOf('a')}, 1), (${outcomeOf('r')}, -1)) change (outcome, files)
      join batch_files m on m.tenant_id = a.tenant_id and m.file_id = a.id
    where ${outcomeOf('a')} <> ${outcomeOf('r')}`)}
  return null;
end
$$;

create function count_batch_files_removed() returns trigger language plpgsql as $$
begin
  with gone as (
    delete from batch_files m using removed r where m.tenant_id = r.tenant_id and m.file_id = r.id
    returning m.tenant_id, m.batch_id, ${outcomeOf('r')} as outcome, -1 as files
  )${countInto('select * from gone')}
  return null;
end
$$;

-- Triggers run in the order of their names: files are counted in their spaces first, as in a transaction that inserts files and then adds
-- them to a batch. In another order, the two could deadlock.
create trigger batch_files_are_counted_when_added after insert on batch_files
  referencing new table as added for each statement execute function count_batch_files_added();
create trigger files_are_counted_with_batches_when_changed after update on files
  referencing old table as removed new table as added for each statement execute function count_batch_files_changed();
create trigger files_are_counted_with_batches_when_removed after delete on files
  referencing old table as removed for each statement execute function count_batch_files_removed();
`;
