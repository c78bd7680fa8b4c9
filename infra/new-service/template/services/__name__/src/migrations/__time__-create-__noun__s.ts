import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table __noun__s (
  tenant_id  uuid           not null,
  id         uuid           not null,
  name       text           not null,
  file_id    uuid,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index __noun__s_in_order on __noun__s (tenant_id, created_at, id);
`;

export class Create__Noun__s__time__ extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
