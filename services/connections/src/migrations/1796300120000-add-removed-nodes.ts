import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table removed_nodes (
  tenant_id        uuid             not null,
  id               uuid             not null,
  connection_id    uuid             not null,
  path             text collate "C" not null,
  etag             text,
  size_bytes       bigint           not null,
  selected_version text,
  announced        boolean          not null default false,
  created_at       timestamptz(3)   not null,
  removed_at       timestamptz(3)   not null default now(),
  primary key (tenant_id, id)
);
create unique index removed_nodes_by_path on removed_nodes (tenant_id, connection_id, path);
create index removed_nodes_new on removed_nodes (tenant_id, connection_id, etag, size_bytes) where not announced;
create index removed_nodes_by_age on removed_nodes (tenant_id, connection_id, removed_at) where announced;

alter table syncs add column files_moved bigint not null default 0;
`;

/** Nodes of files whose objects are gone, so that an object that returns or was moved keeps its node. */
export class AddRemovedNodes1796300120000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
