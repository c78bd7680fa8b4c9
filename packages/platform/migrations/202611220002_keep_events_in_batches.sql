-- kiln: additive
-- Events of many facts that one statement made true, in one row: a row for each costs PostgreSQL several times as much.
-- `envelopes` are CloudEvents in JSON, one in each line (JSON has no raw line end), each with its own id and type.
-- A table of its own, because relays of the release before would publish a row of `outbox` with several lines as one broken
-- message. They leave these to the relays of this release.

create table outbox_batches (
  sequence     bigint generated always as identity primary key,
  envelopes    text        not null,
  events       integer     not null check (events > 0),
  created_at   timestamptz not null default now(),
  published_at timestamptz
);
create index outbox_batches_unpublished on outbox_batches (sequence) where published_at is null;
create index outbox_batches_published_at on outbox_batches using brin (published_at);
