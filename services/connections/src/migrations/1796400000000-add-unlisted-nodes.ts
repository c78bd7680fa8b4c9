import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/** A migration that adds a column to `nodes` replaces the view too. */
const SCHEMA = `
alter table nodes add column unlisted_since timestamptz(3);

create or replace view visible_nodes as
select * from nodes n
where nullif(exists (select 1 from connections c
                     where c.tenant_id = n.tenant_id and c.id = n.connection_id and c.deleted_at is not null), true) is not null;
`;

/** Listings mark the nodes that they do not contain, instead of those that they contain. */
export class AddUnlistedNodes1796400000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
