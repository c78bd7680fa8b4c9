import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
alter table removed_ranges add column collected boolean not null default false;

-- A tenant has few ranges that are not collected, and searches read all of them.
create index removed_ranges_uncollected on removed_ranges (tenant_id, first_number) where not collected;

create table collected_windows (
  tenant_id     uuid   not null,
  window_number bigint not null,
  ranges        text   not null,
  primary key (tenant_id, window_number)
);
`;

export class CollectDuringPurges1796310000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
