import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table spaces (
  tenant_id  uuid             not null,
  id         uuid             not null default gen_random_uuid(),
  name       text collate "C" not null,
  created_at timestamptz(3)   not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name)
);
-- Most tenants have one space. A planner that knows this considers both keys equally good to look up an id; but a tenant may have
-- thousands. So the statistics say that a tenant has ten.
alter table spaces alter column tenant_id set (n_distinct = -0.1);

create table deleted_spaces (
  tenant_id       uuid             not null,
  space_id        uuid             not null,
  name            text collate "C" not null,
  next_attempt_at timestamptz      not null default now(),
  fence           integer          not null default 0,
  primary key (tenant_id, space_id)
);
create index deleted_spaces_due on deleted_spaces (next_attempt_at);

-- A transaction that adds files to a space holds this lock shared; one that deletes the space holds it exclusively. Row locks do not
-- suffice: a new shared row lock overtakes a transaction that waits for the exclusive one, so overlapping uploads could delay a
-- deletion for ever. Advisory locks are granted in the order of the requests, and write nothing.
create function space_lock(tenant uuid, name text) returns bigint language sql immutable parallel safe as $$
  select hashtextextended(tenant::text || ' ' || name, 0)
$$;

-- Returns the spaces with these names, and inserts missing ones. None of them can be deleted before the transaction ends. Each statement
-- of the function sees what was committed while it waited for the locks.
create function hold_spaces(tenant uuid, names text[]) returns table (id uuid, name text) language plpgsql as $$
#variable_conflict use_column
begin
  -- In the order of names, so that two transactions cannot deadlock.
  perform pg_advisory_xact_lock_shared(space_lock(tenant, given.name))
  from (select unnest(names) as name order by 1) given;
  insert into spaces (tenant_id, name)
  select tenant, given.name from unnest(names) as given (name)
  where not exists (select from spaces s where s.tenant_id = tenant and s.name = given.name)
  order by 2
  on conflict do nothing;
  return query select s.id, s.name from spaces s where s.tenant_id = tenant and s.name = any(names);
end
$$;

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
  -- In the order of the key, so that two statements cannot deadlock.
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
  -- In the order of the key, so that two statements cannot deadlock.
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

-- What another service has to learn: a worker announces the present states of the files of these rows and deletes them. A row is added
-- in the transaction of the change, while it holds the row of the file. So among the changes of a file, a later one has a higher sequence.
create table changed_files (
  sequence  bigint generated always as identity primary key,
  tenant_id uuid   not null,
  file_id   uuid   not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create function note_changed_files() returns trigger language plpgsql as $$
begin
  insert into changed_files (tenant_id, file_id) select tenant_id, id from added;
  return null;
end
$$;

create trigger files_are_noted_when_added after insert on files
  referencing new table as added for each statement execute function note_changed_files();
create trigger files_are_noted_when_changed after update on files
  referencing new table as added for each statement execute function note_changed_files();

-- Every run of one, two and three characters in a name, so that a substring of any length can be looked up. Unlike pg_trgm it does not
-- depend on the server's locale, and supports substrings shorter than three characters.
create function name_grams(name text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  grams text[];
begin
  for at in 1 .. length(name) loop
    grams := grams || array[substr(name, at, 1), substr(name, at, 2), substr(name, at, 3)];
  end loop;
  return grams;
end
$$;

create table file_terms (
  tenant_id uuid             not null,
  file_id   uuid             not null,
  name      text collate "C" not null,
  words     text[] collate "C" not null default '{}',
  primary key (tenant_id, file_id),
  foreign key (tenant_id, file_id) references files on delete cascade
);
create index file_terms_by_term on file_terms using gin (tenant_id, name_grams(name), words);

create table variants (
  tenant_id    uuid           not null,
  file_id      uuid           not null,
  type         text           not null,
  id           uuid           not null,
  job_id       uuid           not null,
  content_type text           not null,
  size_bytes   bigint         not null check (size_bytes >= 0),
  content      text check (length(content) <= 65536),
  content_key  text,
  provider     text           not null,
  created_at   timestamptz(3) not null default now(),
  primary key (tenant_id, file_id, type),
  foreign key (tenant_id, file_id) references files on delete cascade,
  check (num_nonnulls(content, content_key) = 1)
);

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

create table connection_files (
  tenant_id     uuid not null,
  file_id       uuid not null,
  connection_id uuid not null,
  node_id       uuid not null,
  path          text not null,
  primary key (tenant_id, file_id),
  foreign key (tenant_id, file_id) references files on delete cascade
);
create unique index connection_files_by_node on connection_files (tenant_id, node_id);

create table connection_runs (
  tenant_id     uuid           not null,
  batch_id      uuid           not null,
  connection_id uuid           not null,
  processing    jsonb          not null,
  pages_limit   bigint,
  position      uuid,
  fence         integer        not null default 1,
  leased_until  timestamptz(3) not null,
  failures      integer        not null default 0,
  created_at    timestamptz(3) not null default now(),
  primary key (tenant_id, batch_id)
);
create index connection_runs_due on connection_runs (leased_until);

create table processing_checks (
  only_one     boolean        primary key default true check (only_one),
  next_pass_at timestamptz(3) not null default now()
);
insert into processing_checks default values;

create table object_removals (
  tenant_id       uuid           not null,
  file_id         uuid           not null,
  reason          text           not null check (reason in ('deleted', 'orphaned', 'superseded', 'too_large')),
  requested_at    timestamptz(3) not null default now(),
  next_attempt_at timestamptz    not null default now(),
  attempts        integer        not null default 0,
  writable_until  timestamptz(3),
  primary key (tenant_id, file_id)
);
create index object_removals_due on object_removals (next_attempt_at);
create index object_removals_waiting on object_removals (requested_at);

create table orphan_search (
  only_one        boolean        primary key default true check (only_one),
  installation_id uuid           not null default gen_random_uuid(),
  seen_until      timestamptz(3) not null default '-infinity',
  pass_until      timestamptz(3),
  after_tenant    text           not null default '',
  ids_seen        bigint         not null default 0,
  obstacle        text           check (obstacle in ('foreign_bucket', 'unmarked_bucket', 'older_database', 'too_many_orphans')),
  next_pass_at    timestamptz(3) not null default now(),
  fence           integer        not null default 0,
  leased_until    timestamptz(3) not null default '-infinity'
);
insert into orphan_search default values;

create table orphan_candidates (
  tenant_id uuid not null,
  file_id   uuid not null,
  primary key (tenant_id, file_id)
);
`;

/**
 * Every key leads with the tenant, so that the schema can be distributed by tenant. Times have milliseconds, the precision of a
 * cursor: with a finer one, rows could be skipped between two pages.
 */
export class CreateFiles1795251600000 extends Migration {
  static readonly phase = 'expand';
  static readonly extensions = ['btree_gin'] as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
