import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table removed_nodes (
  tenant_id  uuid           not null,
  node_id    uuid           not null,
  removed_at timestamptz(3) not null default now(),
  primary key (tenant_id, node_id)
);
create index removed_nodes_by_age on removed_nodes (removed_at);
`;

export class AddRemovedNodes1796266800000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
