import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table sign_in_codes (
  hash bytea primary key check (octet_length(hash) = 32),
  organization_id uuid not null references organizations (id),
  expires_at timestamptz not null
);

create index sign_in_codes_by_expiry on sign_in_codes (expires_at);
`;

export class AddSignInCodes1796083200000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
