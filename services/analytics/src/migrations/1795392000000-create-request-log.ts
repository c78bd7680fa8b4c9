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

-- The first UUIDv7 of a moment.
create function uuid_floor(moment timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- One partition of the request log for each UTC day from \`first\` to \`last\`. Returns how many were missing. Attaching one stops no
-- statement.
create function ensure_partitions(first date, last date) returns integer language plpgsql as $$
declare
  day date;
  partition text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('kiln_analytics_partitions'));
  for day in select generate_series(first, last, interval '1 day')::date loop
    partition := 'logged_requests' || to_char(day, '_YYYYMMDD');
    continue when to_regclass(format('%I', partition)) is not null;
    execute format('create table %I (like logged_requests including all)', partition);
    execute format('alter table logged_requests attach partition %I for values from (%L) to (%L)', partition,
      uuid_floor(day::timestamp at time zone 'UTC'), uuid_floor((day + 1)::timestamp at time zone 'UTC'));
    made := made + 1;
  end loop;
  return made;
end $$;

-- Drops every partition of the request log whose day lies before \`oldest\`, unless another process is at it. Returns how many. Statements
-- wait behind the drop while it waits, so it does not wait for a backup.
create function drop_partitions(oldest date) returns integer language plpgsql set lock_timeout = '100ms' as $$
declare
  partition record;
  dropped integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('kiln_analytics_partitions')) then return 0; end if;
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'logged_requests'::regclass and to_date(right(c.relname, 8), 'YYYYMMDD') < oldest
  loop
    execute format('drop table %I', partition.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
`;

/** The request log. Ids are UUIDv7, so it is partitioned by id: a day is dropped as a whole, and every key leads to its partition. */
export class CreateRequestLog1795392000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
