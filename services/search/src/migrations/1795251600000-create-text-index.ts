import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table files (
  tenant_id    uuid   not null,
  file_id      uuid   not null,
  job_number   bigint not null,
  fence        bigint not null check (fence >= 0),
  chunks       int    not null default 0,
  found_chunks bigint not null default 0,
  chunk_length bigint not null default 0,
  titles       bigint not null default 0,
  title_length bigint not null default 0,
  title_text   text,
  language     text,
  first_number bigint,
  removed_at   timestamptz(3),
  primary key (tenant_id, file_id)
);
create unique index files_by_number on files (tenant_id, first_number) where first_number is not null;
create index files_removed on files (removed_at) where removed_at is not null;

create table tenant_languages (
  tenant_id uuid not null,
  language  text not null,
  primary key (tenant_id, language)
);

create table chunks (
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

create table tail_parts (
  tenant_id    uuid   not null,
  file_id      uuid   not null,
  part         int    not null check (part >= 0),
  last_place   int    not null,
  chunks       bigint not null default 0,
  chunk_length bigint not null default 0,
  titles       bigint not null default 0,
  title_length bigint not null default 0,
  data         text   not null,
  job_number   bigint not null,
  fence        bigint not null,
  primary key (tenant_id, file_id, part)
);
-- Every search of the tenant reads the whole tail. Uncompressed, it need not be decompressed.
alter table tail_parts alter column data set storage external;

create table tenant_indexes (
  tenant_id            uuid   primary key,
  next_number          bigint not null default 0,
  chunks               bigint not null default 0,
  chunk_length         bigint not null default 0,
  titles               bigint not null default 0,
  title_length         bigint not null default 0,
  removed_chunks       bigint not null default 0,
  removed_chunk_length bigint not null default 0,
  removed_titles       bigint not null default 0,
  removed_title_length bigint not null default 0,
  partial_file_id      uuid,
  purge_term           text collate "C",
  purge_first          bigint
);

create table posting_blocks (
  tenant_id uuid   not null,
  term      text   not null collate "C",
  first     bigint not null,
  last      bigint not null,
  count     int    not null check (count > 0),
  data      text   not null,
  primary key (tenant_id, term, first)
) with (toast_tuple_target = 8160, fillfactor = 80);
-- In the row and uncompressed, the data is neither fetched from elsewhere nor decompressed.
alter table posting_blocks alter column data set storage external;

create table removed_ranges (
  tenant_id    uuid   not null,
  first_number bigint not null,
  numbers      int    not null check (numbers > 0),
  chunks       bigint not null default 0,
  chunk_length bigint not null default 0,
  titles       bigint not null default 0,
  title_length bigint not null default 0,
  primary key (tenant_id, first_number)
);

create table removed_windows (
  tenant_id     uuid   not null,
  window_number bigint not null,
  ranges        text   not null,
  primary key (tenant_id, window_number)
);

create table file_removals (
  tenant_id    uuid           not null,
  file_id      uuid           not null,
  requested_at timestamptz(3) not null default now(),
  primary key (tenant_id, file_id)
);
create index file_removals_by_age on file_removals (requested_at);

create table run_fences (
  tenant_id  uuid           not null,
  file_id    uuid           not null,
  job_id     uuid           not null,
  fence      integer        not null,
  fenced_at  timestamptz(3) not null default now(),
  primary key (tenant_id, file_id, job_id)
);
create index run_fences_by_age on run_fences (fenced_at);

create table vector_generations (
  tenant_id            uuid   primary key,
  generation           bigint not null,
  forgotten_generation bigint not null default 0
) with (fillfactor = 50);

create table vector_sets (
  tenant_id  uuid   not null,
  model      text   not null,
  dimensions int    not null,
  files      bigint not null,
  vectors    bigint not null,
  primary key (tenant_id, model, dimensions)
) with (fillfactor = 50);

create table vector_files (
  tenant_id  uuid   not null,
  file_id    uuid   not null,
  model      text   not null,
  dimensions int    not null,
  generation bigint not null,
  vectors    int    not null check (vectors >= 0),
  facets     text[] not null,
  job_number bigint not null,
  fence      bigint not null,
  removed_at timestamptz(3),
  primary key (tenant_id, file_id, model, dimensions)
);
create index vector_files_by_generation on vector_files (tenant_id, model, dimensions, generation, file_id);
create index vector_files_removed on vector_files (removed_at) where removed_at is not null;

create table vector_parts (
  tenant_id   uuid  not null,
  file_id     uuid  not null,
  first_index int   not null check (first_index >= 0),
  vectors     bytea not null,
  codes       bytea not null,
  primary key (tenant_id, file_id, first_index)
);
-- Numbers hardly compress. Uncompressed, one vector is read without the others of its row.
alter table vector_parts alter column vectors set storage external, alter column codes set storage external;
`;

/**
 * Text search is BM25 over an inverted index in PostgreSQL. The process computes the scores. docs/adr/0014-posting-blocks.md describes the
 * index, and the entities describe tables and columns.
 *
 * A passage is a chunk of a file, or the file's title and name. Merged passages of a tenant have consecutive numbers: first the title of a
 * file, then its chunks. `posting_blocks` lists, for each term, the passages that contain it. A file is written to `tail_parts` first,
 * which every search reads completely.
 */
export class CreateTextIndex1795251600000 extends Migration {
  static readonly phase = 'expand';
  /** Where pgvector is available, PostgreSQL searches vectors: see vectors/pgvector. */
  static readonly optionalExtensions = ['vector'] as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
