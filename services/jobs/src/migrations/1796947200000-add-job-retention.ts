import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/** The first row of `job_retention` precedes every job: no release of Kiln is older. */
const SCHEMA = `
create table job_retention (
  only_row       boolean        primary key default true check (only_row),
  examined_until timestamptz(3) not null default '2026-01-01T00:00:00Z',
  tenant_id      uuid           not null default '00000000-0000-0000-0000-000000000000',
  job_id         uuid           not null default '00000000-0000-0000-0000-000000000000'
);
insert into job_retention default values;

create table superseded_jobs (
  tenant_id uuid    not null,
  file_id   uuid    not null,
  status    text    not null check (status in ('completed', 'failed', 'cancelled')),
  jobs      integer not null,
  primary key (tenant_id, file_id, status)
);
`;

/** Its tables are documented by their entities. */
export class AddJobRetention1796947200000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
