import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table file (
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
create unique index file_by_number on file (tenant_id, first_number) where first_number is not null;
create index file_removed on file (removed_at) where removed_at is not null;

create table tenant_language (
  tenant_id uuid not null,
  language  text not null,
  primary key (tenant_id, language)
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

create table index_tail (
  tenant_id    uuid   not null,
  file_id      uuid   not null,
  part         int    not null check (part >= 0),
  last_place   int    not null,
  chunks       bigint not null,
  chunk_length bigint not null,
  titles       bigint not null,
  title_length bigint not null,
  data         text   not null,
  job_number   bigint not null,
  fence        bigint not null,
  primary key (tenant_id, file_id, part)
);
-- Every search of the tenant reads the whole tail. Uncompressed, it need not be decompressed.
alter table index_tail alter column data set storage external;

create table tenant_index (
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

create table posting_block (
  tenant_id uuid   not null,
  term      text   not null collate "C",
  first     bigint not null,
  last      bigint not null,
  count     int    not null check (count > 0),
  data      text   not null,
  primary key (tenant_id, term, first)
) with (toast_tuple_target = 8160, fillfactor = 80);
-- In the row and uncompressed, the data is neither fetched from elsewhere nor decompressed.
alter table posting_block alter column data set storage external;

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
  window_number bigint not null,
  ranges        text   not null,
  primary key (tenant_id, window_number)
);

create table file_removal (
  tenant_id    uuid           not null,
  file_id      uuid           not null,
  requested_at timestamptz(3) not null default now(),
  primary key (tenant_id, file_id)
);
create index file_removal_by_age on file_removal (requested_at);

create table refused_run (
  tenant_id  uuid           not null,
  file_id    uuid           not null,
  job_id     uuid           not null,
  fence      integer        not null,
  refused_at timestamptz(3) not null default now(),
  primary key (tenant_id, file_id, job_id)
);
create index refused_run_by_age on refused_run (refused_at);

create table vector_tenant (
  tenant_id            uuid   primary key,
  generation           bigint not null,
  forgotten_generation bigint not null default 0
) with (fillfactor = 50);

create table vector_set (
  tenant_id  uuid   not null,
  model      text   not null,
  dimensions int    not null,
  files      bigint not null,
  vectors    bigint not null,
  primary key (tenant_id, model, dimensions)
) with (fillfactor = 50);

create table vector_file (
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
create index vector_file_by_generation on vector_file (tenant_id, model, dimensions, generation, file_id);
create index vector_file_removed on vector_file (removed_at) where removed_at is not null;

create table vector_part (
  tenant_id   uuid  not null,
  file_id     uuid  not null,
  first_index int   not null check (first_index >= 0),
  vectors     bytea not null,
  codes       bytea not null,
  primary key (tenant_id, file_id, first_index)
);
-- Numbers hardly compress. Uncompressed, one vector is read without the others of its row.
alter table vector_part alter column vectors set storage external, alter column codes set storage external;
`;

/**
 * Text search is BM25 over an inverted index in PostgreSQL. The process computes the scores. See docs/adr/0014-posting-blocks.md, and the
 * entities for the meaning of tables and columns.
 *
 * A passage is a chunk of a file, or the file's title and name. Merged passages of a tenant have consecutive numbers: first the title of a
 * file, then its chunks. `posting_block` lists, for each term, the passages that contain it. A file is written to `index_tail` first, which
 * every search reads completely.
 */
export class CreateTextIndex1795251600000 extends Migration {
  static readonly phase = 'expand';
  /** With it, PostgreSQL searches vectors: see vectors/pgvector. */
  static readonly optionalExtensions = ['vector'] as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
