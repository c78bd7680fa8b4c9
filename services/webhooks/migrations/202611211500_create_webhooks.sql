-- kiln: additive
-- Webhooks, what happened (kept 30 days), what is still to be delivered, and what came of it. Ids are UUIDv7, so tables that are
-- split by day are split by id: a day is dropped as a whole, and every key leads to its partition.

create table webhooks (
  tenant_id                  uuid           not null,
  id                         uuid           not null,
  -- Stands in the payloads.
  organization_id            uuid           not null,
  url                        text           not null,
  events                     text[]         not null,
  description                text,
  -- Sealed: the signing secrets, and the custom headers as JSON (null: none).
  secret                     bytea          not null,
  previous_secret            bytea,
  previous_secret_expires_at timestamptz(3),
  headers                    bytea,
  header_names               text[]         not null default '{}',
  active                     boolean        not null default true,
  disabled_reason            text check (disabled_reason in ('gone', 'failing')),
  -- Null, all of them, while deliveries succeed: the first failure since the last success; the first of the failures that follow
  -- each other within a day; the last failure, to the minute; and why it failed.
  failing_since              timestamptz(3),
  failing_daily_since        timestamptz(3),
  last_failed_at             timestamptz(3),
  last_error                 text,
  -- Counts changes, so that a worker knows whether what it holds is still true.
  version                    integer        not null default 1,
  created_at                 timestamptz(3) not null default now(),
  updated_at                 timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

-- One event for one webhook. The payload is kept as the bytes that are signed.
create table webhook_events (
  tenant_id  uuid           not null,
  id         uuid           not null,
  webhook_id uuid           not null,
  type       text           not null,
  created_at timestamptz(3) not null,
  payload    text           not null,
  primary key (tenant_id, id)
) partition by range (id);
create index webhook_events_by_type on webhook_events (tenant_id, type, id);
create index webhook_events_of_webhook on webhook_events (tenant_id, webhook_id, id) include (type, created_at);

-- What is still to be delivered: small, and read by the workers all the time. A row is taken by raising its attempt, which is
-- also the fence: whoever settles it names the attempt it made. A worker that dies leaves leased_until to run out. Its due
-- time stays as it is while it is leased, so that taking it touches no index.
create table queued_deliveries (
  tenant_id    uuid           not null,
  webhook_id   uuid           not null,
  id           uuid           not null,
  event_id     uuid           not null,
  event_type   text           not null,
  -- Attempts begun, and those of them that failed, which is what the schedule counts.
  attempt      integer        not null default 0,
  failures     integer        not null default 0,
  due_at       timestamptz    not null default now(),
  leased_until timestamptz(3) not null default '-infinity',
  created_at   timestamptz(3) not null default now(),
  primary key (tenant_id, webhook_id, id)
) with (fillfactor = 70);
create index queued_deliveries_due on queued_deliveries (tenant_id, webhook_id, due_at, id);

-- What came of it. Rows are only ever added.
create table settled_deliveries (
  tenant_id  uuid           not null,
  webhook_id uuid           not null,
  id         uuid           not null,
  event_id   uuid           not null,
  event_type text           not null,
  status     text           not null check (status in ('delivered', 'failed')),
  attempt    integer        not null,
  created_at timestamptz(3) not null,
  settled_at timestamptz(3) not null default now(),
  primary key (tenant_id, webhook_id, id)
) partition by range (id);
create index settled_deliveries_of_event on settled_deliveries (tenant_id, event_id);
create index settled_deliveries_failed on settled_deliveries (tenant_id, webhook_id, id) where status = 'failed';

-- The log, split by the day of the delivery.
create table delivery_attempts (
  tenant_id     uuid           not null,
  delivery_id   uuid           not null,
  attempt       integer        not null,
  attempted_at  timestamptz(3) not null,
  status_code   integer,
  duration_ms   integer,
  error         text,
  response_body text,
  primary key (tenant_id, delivery_id, attempt)
) partition by range (delivery_id);

-- Webhooks with something queued, served in turn. Whoever queues a delivery touches its webhook's row in the same transaction; a
-- claim that finds nothing due moves the row to when something will be, or removes it.
create table waiting_webhooks (
  tenant_id  uuid        not null,
  webhook_id uuid        not null,
  due_at     timestamptz not null,
  served_at  timestamptz not null default '-infinity',
  failing    boolean     not null default false,
  primary key (tenant_id, webhook_id)
);
create index waiting_webhooks_in_turn on waiting_webhooks (served_at, webhook_id);

-- Windows of events that are being queued again, a batch at a time.
create table replays (
  tenant_id   uuid           not null,
  id          uuid           not null,
  webhook_id  uuid           not null,
  kind        text           not null check (kind in ('replay', 'recover')),
  since       timestamptz(3) not null,
  until       timestamptz(3) not null,
  event_types text[],
  -- The last event that was looked at.
  position    uuid           not null,
  created_at  timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index replays_of_webhook on replays (tenant_id, webhook_id);

-- The first UUIDv7 of a moment.
create function uuid_floor(moment timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- One partition of every split table for each UTC day from the day before `first` to `last`. Answers how many were missing.
create function ensure_partitions(first date, last date) returns integer language plpgsql as $$
declare
  parent text;
  day date;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('kiln_webhooks_partitions'));
  foreach parent in array array['webhook_events', 'settled_deliveries', 'delivery_attempts'] loop
    for day in select generate_series(first - 1, last, interval '1 day')::date loop
      continue when to_regclass(format('%I', parent || to_char(day, '_YYYYMMDD'))) is not null;
      execute format('create table %I partition of %I for values from (%L) to (%L)', parent || to_char(day, '_YYYYMMDD'),
        parent, uuid_floor(day::timestamp at time zone 'UTC'), uuid_floor((day + 1)::timestamp at time zone 'UTC'));
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;

-- Drops every partition whose day lies before `oldest`, and what is still queued of those days: its outcome would have no partition.
-- Answers how many partitions.
create function drop_partitions(oldest date) returns integer language plpgsql as $$
declare
  partition record;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('kiln_webhooks_partitions'));
  delete from queued_deliveries where id < uuid_floor(oldest::timestamp at time zone 'UTC');
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relnamespace = current_schema()::regnamespace
      and p.relname in ('webhook_events', 'settled_deliveries', 'delivery_attempts') and c.relkind = 'r'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < oldest
  loop
    execute format('drop table %I', partition.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
