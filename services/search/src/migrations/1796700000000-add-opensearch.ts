import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
-- Numbers of writes. A later write or removal of a file has a higher number than an earlier one.
create sequence index_revisions;

alter table tail_parts add column revision bigint;

create table opensearch_generations (
  generation text not null primary key
);
insert into opensearch_generations values (substr(md5(random()::text || clock_timestamp()::text), 1, 12));

create table opensearch_tenants (
  tenant_id    uuid        not null primary key,
  store        text        check (store in ('postgres', 'opensearch')),
  lease_expires_at timestamptz(3) not null default '-infinity',
  files        bigint      not null default 0,
  chunks       bigint      not null default 0,
  chunk_length bigint      not null default 0,
  titles       bigint      not null default 0,
  title_length bigint      not null default 0
);

create table opensearch_files (
  tenant_id    uuid    not null,
  file_id      uuid    not null,
  revision     bigint  not null,
  served       boolean not null,
  counted      boolean not null default false,
  chunks       bigint  not null default 0,
  chunk_length bigint  not null default 0,
  titles       bigint  not null default 0,
  title_length bigint  not null default 0,
  primary key (tenant_id, file_id)
);
create index opensearch_files_withheld on opensearch_files (tenant_id, file_id) where not served;
`;

export class AddOpensearch1796700000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
