-- kiln: additive
-- extensions: btree_gin
-- Text search is BM25 in SQL: `passage` is the narrow table that is scanned and scored, `chunk` holds the texts that only
-- the results need, and the two statistics tables hold what BM25 wants to know about all of a tenant's passages.

create table file (
  tenant_id    uuid   not null,
  file_id      uuid   not null,
  -- The run that wrote the index, see domain/run.ts. Fence 0: registered by a transaction that has yet to write.
  job_number   bigint not null,
  fence        bigint not null check (fence >= 0),
  space        text   not null default '',
  filename     text   not null default '',
  title        text,
  content_type text,
  metadata     jsonb  not null default '{}',
  chunks       int    not null default 0,
  primary key (tenant_id, file_id)
);

create table chunk (
  tenant_id    uuid   not null,
  file_id      uuid   not null,
  index        int    not null check (index >= 0),
  body         text   not null,
  start_offset bigint not null,
  end_offset   bigint not null,
  page         int,
  heading_path text[] not null,
  primary key (tenant_id, file_id, index)
);

-- What is matched: each chunk of a file under its index, and the file's title and name as one more passage under index -1.
create table passage (
  tenant_id uuid     not null,
  file_id   uuid     not null,
  index     int      not null check (index >= -1),
  space     text     not null,
  -- Terms in the passage, repeats counted.
  length    int      not null check (length > 0),
  terms     tsvector not null,
  primary key (tenant_id, file_id, index)
) with (toast_tuple_target = 8160);
-- Scoring reads the vectors of thousands of rows: in the row and uncompressed, none has to be fetched and unpacked.
alter table passage alter column terms set storage external;
-- Every search reads the list of entries that are not merged yet, and the planner shuns an index where that is long: at
-- most 256 kB instead of 4 MB.
create index passage_terms on passage using gin (tenant_id, space, terms) with (gin_pending_list_limit = 256);

-- Counters are spread over slots (a file always counts in the same one), so that files of one tenant can be indexed side
-- by side; a reader sums over the slots. The tenant's row of a slot is also the lock that orders its writers.
create table passage_statistics (
  tenant_id     uuid     not null,
  slot          smallint not null,
  chunks        bigint   not null check (chunks >= 0),
  chunk_length  bigint   not null check (chunk_length >= 0),
  titles        bigint   not null check (titles >= 0),
  title_length  bigint   not null check (title_length >= 0),
  primary key (tenant_id, slot)
) with (fillfactor = 50);

create table term_statistics (
  tenant_id uuid     not null,
  term      text     not null collate "C",
  slot      smallint not null,
  -- Passages that hold the term.
  passages  bigint   not null check (passages >= 0),
  primary key (tenant_id, term, slot)
) with (fillfactor = 70);
