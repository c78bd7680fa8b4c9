-- kiln: additive
-- What a large batch says is packed by the process that writes it: that takes it a tenth of the time that PostgreSQL takes to receive,
-- compress and store the text, and most of each envelope is the same as in the one before. Its events then can't be taken
-- apart by a statement that finds that some did not come true: `left_out` are their numbers, from 1.
alter table outbox_batches
  alter column envelopes drop not null,
  add column packed bytea,
  add column left_out integer[] not null default '{}',
  add constraint outbox_batches_hold_text check (num_nonnulls(envelopes, packed) = 1);
alter table outbox_batches alter column packed set storage external;
