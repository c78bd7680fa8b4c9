-- kiln: additive
-- Events leave through the outbox, in the transaction that made them true, and enter through the inbox, in the
-- transaction of their effect: so each counts once although the broker may deliver it twice.

-- `published_at` is infinity for a row that can not be sent and was set aside.
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
