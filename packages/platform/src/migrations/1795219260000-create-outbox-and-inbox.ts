import type { QueryRunner } from 'typeorm';
import { Migration } from '../postgres/migration.js';

const SCHEMA = `
-- \`published_at\` is infinity for a row that cannot be sent and is quarantined.
create table outbox (
  sequence     bigint generated always as identity primary key,
  id           uuid        not null,
  type         text        not null,
  envelope     text        not null,
  created_at   timestamptz not null default now(),
  published_at timestamptz
);
create index outbox_unpublished on outbox (sequence) where published_at is null;
create index outbox_published_at on outbox using brin (published_at);

create table inbox (
  consumer    text        not null,
  event_id    uuid        not null,
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index inbox_received_at on inbox using brin (received_at);
`;

/**
 * Events are published through the outbox, written in the transaction that makes them true, and consumed through the inbox, written in
 * the transaction of their effect. So each takes effect once, although the broker may deliver it twice.
 */
export class CreateOutboxAndInbox1795219260000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
