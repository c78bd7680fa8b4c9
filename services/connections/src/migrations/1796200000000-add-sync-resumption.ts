import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
alter table syncs
  add column connection_version integer,
  add column bucket_failures    integer not null default 0,
  add column is_resumable       boolean not null default false,
  add column nodes_listed       bigint  not null default 0;
`;

/** Syncs that continue a failed one, restart when the credentials change, and count bucket failures separately. */
export class AddSyncResumption1796200000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
