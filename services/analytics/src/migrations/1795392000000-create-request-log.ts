import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table logged_requests (
  tenant_id   uuid             not null,
  id          uuid             not null,
  request_id  text             not null,
  method      text             not null,
  path        text collate "C" not null,
  status      smallint         not null,
  auth_type   text             not null,
  key_name    text             not null,
  duration_ms real             not null,
  created_at  timestamptz(3)   not null,
  primary key (tenant_id, id)
) partition by range (id);
create index logged_requests_by_status on logged_requests (tenant_id, status, id);
create index logged_requests_by_key on logged_requests (tenant_id, key_name, id);
create index logged_requests_by_method on logged_requests (tenant_id, method, id);
create index logged_requests_by_auth_type on logged_requests (tenant_id, auth_type, id);
create index logged_requests_by_path on logged_requests (tenant_id, path, id);
`;

/** The request log. Ids are UUIDv7, so it is partitioned by id: a day is dropped as a whole, and every key leads to its partition. */
export class CreateRequestLog1795392000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
