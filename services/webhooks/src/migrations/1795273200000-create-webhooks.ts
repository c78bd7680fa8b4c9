import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table webhooks (
  tenant_id                  uuid           not null,
  id                         uuid           not null,
  organization_id            uuid           not null,
  url                        text           not null,
  events                     text[]         not null,
  description                text,
  secret                     bytea          not null,
  previous_secret            bytea,
  previous_secret_expires_at timestamptz(3),
  headers                    bytea,
  header_names               text[]         not null default '{}',
  active                     boolean        not null default true,
  disabled_reason            text check (disabled_reason in ('gone', 'failing')),
  failing_since              timestamptz(3),
  failing_daily_since        timestamptz(3),
  last_failed_at             timestamptz(3),
  last_error                 text,
  version                    integer        not null default 1,
  created_at                 timestamptz(3) not null default now(),
  updated_at                 timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

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

create table queued_deliveries (
  tenant_id        uuid           not null,
  webhook_id       uuid           not null,
  id               uuid           not null,
  event_id         uuid           not null,
  event_type       text           not null,
  traceparent      text,
  attempt          integer        not null default 0,
  failures         integer        not null default 0,
  due_at           timestamptz    not null default now(),
  lease_expires_at timestamptz(3) not null default '-infinity',
  created_at       timestamptz(3) not null default now(),
  primary key (tenant_id, webhook_id, id)
) with (fillfactor = 70);
create index queued_deliveries_due on queued_deliveries (tenant_id, webhook_id, due_at, id);

create table finished_deliveries (
  tenant_id  uuid           not null,
  webhook_id uuid           not null,
  id         uuid           not null,
  event_id   uuid           not null,
  event_type text           not null,
  status     text           not null check (status in ('delivered', 'failed')),
  attempt    integer        not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3) not null default now(),
  primary key (tenant_id, webhook_id, id)
) partition by range (id);
create index finished_deliveries_of_event on finished_deliveries (tenant_id, event_id);
create index finished_deliveries_failed on finished_deliveries (tenant_id, webhook_id, id) where status = 'failed';

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

create table waiting_webhooks (
  tenant_id  uuid        not null,
  webhook_id uuid        not null,
  due_at     timestamptz not null default now(),
  failing    boolean     not null default false,
  primary key (tenant_id, webhook_id)
);
create index waiting_webhooks_by_due on waiting_webhooks (due_at, webhook_id);

create table replays (
  tenant_id   uuid           not null,
  id          uuid           not null,
  webhook_id  uuid           not null,
  kind        text           not null check (kind in ('replay', 'recover')),
  since       timestamptz(3) not null,
  until       timestamptz(3) not null,
  event_types text[],
  position    uuid           not null,
  created_at  timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index replays_of_webhook on replays (tenant_id, webhook_id);
`;

/**
 * Webhooks, their events (kept 30 days), queued and finished deliveries. Ids are UUIDv7, so tables that are
 * partitioned by day are partitioned by id: a day is dropped as a whole, and every key leads to its partition.
 */
export class CreateWebhooks1795273200000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
