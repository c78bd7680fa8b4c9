import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
alter table webhooks
  add column earlier_secrets           bytea[]       not null default '{}',
  add column earlier_secrets_expire_at timestamptz[] not null default '{}';
`;

/** Secrets before the previous one, whose grace periods have not ended. */
export class AddEarlierSecrets1796200000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
