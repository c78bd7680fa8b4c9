import type { QueryRunner } from 'typeorm';
import { Migration } from '../postgres/migration.js';

const SCHEMA = `
-- The first UUIDv7 of a moment.
create function uuid_floor(moment timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Creates the missing partitions of the UTC days from \`first\` to \`last\`. Each table is partitioned by a date or by a UUIDv7. Returns
-- their number. Attaching a partition blocks no other statement.
create function ensure_days(tables text[], first date, last date) returns integer language plpgsql as $$
declare
  parent text;
  by_id boolean;
  each_day date;
  partition text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('day_partitions ' || current_schema(), 0));
  foreach parent in array tables loop
    select a.atttypid = 'uuid'::regtype into strict by_id
    from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = parent::regclass;
    for each_day in select generate_series(first, last, interval '1 day')::date loop
      partition := parent || to_char(each_day, '_YYYYMMDD');
      continue when to_regclass(format('%I', partition)) is not null;
      execute format('create table %I (like %I including all)', partition, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition,
        case when by_id then uuid_floor(each_day::timestamp at time zone 'UTC')::text else each_day::text end,
        case when by_id then uuid_floor((each_day + 1)::timestamp at time zone 'UTC')::text else (each_day + 1)::text end);
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;

-- Drops the partitions of days before \`oldest\`, unless another process is dropping them. Returns their number. Other statements queue
-- behind a drop that waits for its lock, so the lock timeout is short.
create function drop_days(tables text[], oldest date) returns integer language plpgsql set lock_timeout = '100ms' as $$
declare
  partition record;
  dropped integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('day_partitions ' || current_schema(), 0)) then return 0; end if;
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = any(tables::regclass[]) and c.relkind = 'r' and to_date(substring(c.relname from '_([0-9]{8})$'), 'YYYYMMDD') < oldest
  loop
    execute format('drop table %I', partition.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
`;

/** Functions for tables with a retention time: a partition for each day, which is dropped as a whole. */
export class CreateDayPartitions1795219320000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
