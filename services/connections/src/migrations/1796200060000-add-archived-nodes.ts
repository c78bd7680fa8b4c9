import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
alter table nodes add column archived_in text;

create or replace view visible_nodes as
select * from nodes n
where nullif(exists (select 1 from connections c
                     where c.tenant_id = n.tenant_id and c.id = n.connection_id and c.deleted_at is not null), true) is not null;
`;

/** The storage class of objects that cannot be read until their owner restores them. */
export class AddArchivedNodes1796200060000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
