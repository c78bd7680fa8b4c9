import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table part_uploads (
  tenant_id       uuid           not null,
  file_id         uuid           not null,
  size_bytes      bigint         not null check (size_bytes > 0),
  part_bytes      bigint         not null check (part_bytes > 0),
  store_upload_id text,
  expires_at      timestamptz(3) not null,
  primary key (tenant_id, file_id)
);
`;

export class AddPartUploads1796169600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
