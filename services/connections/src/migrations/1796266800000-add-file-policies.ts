import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/** Connections of the release before keep the files of deleted objects, as it does. */
const SCHEMA = `
alter table connections
  add column on_delete text not null default 'keep' check (on_delete in ('delete', 'keep')),
  add column space     text not null default 'default';
`;

export class AddFilePolicies1796266800000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
