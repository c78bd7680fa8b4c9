import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table node_selections (
  tenant_id     uuid           not null,
  id            uuid           not null,
  connection_id uuid           not null,
  node_ids      uuid[]         not null,
  fence         integer        not null default 0,
  due_at        timestamptz(3) not null default now(),
  failures      integer        not null default 0,
  primary key (tenant_id, id)
);
create index node_selections_of_tenant on node_selections (tenant_id, due_at);
create index node_selections_due on node_selections (due_at);
`;

/** Nodes that syncs have selected for automatic processing, until they are queued. */
export class AddNodeSelections1796300000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
