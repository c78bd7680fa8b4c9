import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/** Connections of the release before process nothing on their own. A migration that adds a column to `nodes` replaces the view too. */
const SCHEMA = `
alter table connections
  add column auto_process boolean not null default false,
  add column on_change    text    not null default 'reprocess' check (on_change in ('reprocess', 'ignore')),
  add column rules        jsonb   not null default '{}',
  add column pages_limit  bigint;

alter table nodes
  add column excluded_by      text,
  add column selected_version text;

create or replace view visible_nodes as
select * from nodes n
where nullif(exists (select 1 from connections c
                     where c.tenant_id = n.tenant_id and c.id = n.connection_id and c.deleted_at is not null), true) is not null;

alter table syncs
  add column files_queued   bigint not null default 0,
  add column files_excluded bigint not null default 0;
`;

export class AddAutomaticProcessing1796300060000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
