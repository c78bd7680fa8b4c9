-- kiln: additive
-- Lists of files by every combination of space and status, in each order, read as many rows as they show: the filters lead
-- the index, and a list over all statuses merges five ranges. Whatever the share of a tenant's files that a filter lets
-- through, there is no row to skip and nothing to sort. Replaces five indexes that needed one or the other (the release
-- before keeps working; some of its lists are slower until it is gone).
--
-- The cost: an insert, and each change of a status, writes eight entries where it wrote six.

create index files_by_status_updated on files (tenant_id, status, updated_at, id);
create index files_by_status_filename on files (tenant_id, status, filename, id);
create index files_by_status_size on files (tenant_id, status, (coalesce(size_bytes, -1)), id);
create index files_by_space_created on files (tenant_id, space, status, created_at, id);
create index files_by_space_updated on files (tenant_id, space, status, updated_at, id);
create index files_by_space_filename on files (tenant_id, space, status, filename, id);
create index files_by_space_size on files (tenant_id, space, status, (coalesce(size_bytes, -1)), id);
alter index files_by_status rename to files_by_status_created;
drop index files_by_created, files_by_updated, files_by_filename, files_by_size, files_by_space;

-- Every run of one, two and three characters in a name: what a substring of any length can be looked up by. Unlike pg_trgm it
-- neither depends on the server's locale nor gives up on substrings shorter than three characters.
create function name_grams(name text) returns text[] language sql immutable strict parallel safe as $$
  select array_agg(distinct substr(name, at, size) collate "C")
  from generate_series(1, length(name)) at, generate_series(1, 3) size
$$;

-- What the search of the list looks in. A table of its own: `files` changes with each status, and would write all of these
-- entries again each time; here a row changes once, when its words come.
create table file_terms (
  tenant_id uuid   not null,
  file_id   uuid   not null,
  -- The filename, its case folded.
  name      text collate "C" not null,
  -- The different words of the extracted content, their case folded.
  words     text[] collate "C" not null default '{}',
  primary key (tenant_id, file_id),
  foreign key (tenant_id, file_id) references files on delete cascade
);
insert into file_terms (tenant_id, file_id, name)
select tenant_id, id, lower(normalize(filename) collate "default") from files;
create index file_terms_by_term on file_terms using gin (tenant_id, name_grams(name), words);
