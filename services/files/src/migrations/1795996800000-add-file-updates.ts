import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
alter table files
  add column external_id text collate "C",
  add column edits       integer not null default 0,
  add column run_edits   integer not null default 0;
`;

export class AddFileUpdates1795996800000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
