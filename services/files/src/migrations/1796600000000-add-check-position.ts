import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/** A check of the release before begins with the oldest file. */
const SCHEMA = `
alter table processing_checks
  add column position_updated_at timestamptz(3),
  add column position_tenant_id  uuid,
  add column position_file_id    uuid;
`;

export class AddCheckPosition1796600000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
