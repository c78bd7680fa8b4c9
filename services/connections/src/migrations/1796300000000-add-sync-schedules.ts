import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/** Connections of the release before have no schedule. */
const SCHEMA = `
alter table connections
  add column sync_interval_minutes integer check (sync_interval_minutes >= 5),
  add column paused                boolean not null default false,
  add column next_sync_at          timestamptz(3);
create index connections_sync_due on connections (next_sync_at) where next_sync_at is not null and not paused and deleted_at is null;
`;

export class AddSyncSchedules1796300000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
