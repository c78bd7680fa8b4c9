-- kiln: additive
-- Text search is BM25 over an inverted index in PostgreSQL, scored by the process. See docs/adr/0014-posting-blocks.md.
--
-- The passages of a tenant (the chunks of files, and the title and name of each file as one more) get consecutive numbers
-- when they are merged; those of one file follow each other, the title first. `posting_block` holds, for each term, the numbers of
-- the passages that hold it. A file that is written goes into `index_tail` first, which every search reads whole.

create table file (
  tenant_id    uuid   not null,
  file_id      uuid   not null,
  -- The run that wrote the index, see domain/run.ts. Fence 0: registered by a transaction that has yet to write.
  job_number   bigint not null,
  fence        bigint not null check (fence >= 0),
  -- Chunks of the file, numbered from 0.
  chunks       int    not null default 0,
  -- What the file adds to the totals of its tenant: chunks with terms, their terms, titles with terms, their terms.
  found_chunks bigint not null default 0,
  chunk_length bigint not null default 0,
  titles       bigint not null default 0,
  title_length bigint not null default 0,
  -- Number of the first passage; null while all of the file is in the tail.
  first_number bigint,
  -- Set on a tombstone: the file was deleted. It goes when no event and no run can mention the file any more.
  removed_at   timestamptz(3),
  primary key (tenant_id, file_id)
);
create unique index file_by_number on file (tenant_id, first_number) where first_number is not null;
create index file_removed on file (removed_at) where removed_at is not null;

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

-- Files that are not merged yet, packed by domain/tail-data.ts; a row holds one batch of chunks.
create table index_tail (
  tenant_id    uuid   not null,
  file_id      uuid   not null,
  part         int    not null check (part >= 0),
  -- The highest place in the file among the row's passages.
  last_place   int    not null,
  chunks       bigint not null,
  chunk_length bigint not null,
  titles       bigint not null,
  title_length bigint not null,
  data         text   not null,
  primary key (tenant_id, file_id, part)
);
-- Read whole by every search: not compressed, it need not be unpacked.
alter table index_tail alter column data set storage external;

-- What is known of all merged passages of a tenant, those included that are removed and not purged yet. Written by merges and
-- purges only, which hold the tenant's advisory lock.
create table tenant_index (
  tenant_id            uuid   primary key,
  next_number          bigint not null default 0,
  chunks               bigint not null default 0,
  chunk_length         bigint not null default 0,
  titles               bigint not null default 0,
  title_length         bigint not null default 0,
  -- The part of it that is collected in `removed_window`.
  removed_chunks       bigint not null default 0,
  removed_chunk_length bigint not null default 0,
  removed_titles       bigint not null default 0,
  removed_title_length bigint not null default 0,
  -- A file of which merges have taken the first parts from the tail, and not yet all.
  partial_file_id      uuid,
  -- The last block that the purge under way has looked at; null when there is none.
  purge_term           text collate "C",
  purge_first          bigint
);

-- Postings of one term, at most 512 a row, encoded by domain/postings.ts.
create table posting_block (
  tenant_id uuid   not null,
  term      text   not null collate "C",
  -- Numbers of the first and the last passage.
  first     bigint not null,
  last      bigint not null,
  count     int    not null check (count > 0),
  data      text   not null,
  primary key (tenant_id, term, first)
) with (toast_tuple_target = 8160, fillfactor = 80);
-- In the row and uncompressed, none has to be fetched and unpacked.
alter table posting_block alter column data set storage external;

-- Numbers of passages that are not there any more, by deletion or replacement. A search skips them. They are collected in
-- windows of 32,768 numbers each, see domain/number-set.ts.
create table removed_range (
  tenant_id    uuid   not null,
  first_number bigint not null,
  numbers      int    not null check (numbers > 0),
  chunks       bigint not null,
  chunk_length bigint not null,
  titles       bigint not null,
  title_length bigint not null,
  primary key (tenant_id, first_number)
);

create table removed_window (
  tenant_id     uuid   not null,
  -- Its first number divided by 32,768.
  window_number bigint not null,
  ranges        text   not null,
  primary key (tenant_id, window_number)
);

-- A file that was deleted is first noted here, in the transaction of its event, and then taken out of the index, where
-- its row stays as a tombstone under the highest run there can be: an index command that comes late is refused.
create table file_removal (
  tenant_id    uuid           not null,
  file_id      uuid           not null,
  requested_at timestamptz(3) not null default now(),
  primary key (tenant_id, file_id)
);
create index file_removal_in_turn on file_removal (requested_at);

-- Runs of a cancelled job make nothing findable any more: those under a lower fence than this. Kept for longer than any run lasts.
create table refused_run (
  tenant_id  uuid           not null,
  file_id    uuid           not null,
  job_id     uuid           not null,
  fence      integer        not null,
  refused_at timestamptz(3) not null default now(),
  primary key (tenant_id, file_id, job_id)
);
create index refused_run_by_age on refused_run (refused_at);
