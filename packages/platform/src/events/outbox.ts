// An event is written in the transaction of the change that it reports. The relay publishes it afterwards, and retries until it succeeds.
import { envelopeOf } from './envelope.js';
import type { NewEvent } from './new-event.js';
import type { Queryable } from '../postgres/transaction.js';
import { statement } from '../postgres/statement.js';
import { v7 as uuidv7 } from 'uuid';

const append = statement(
  'platform.outbox_append',
  `insert into outbox (id, type, envelope)
   select * from unnest($1::uuid[], $2::text[], $3::text[])`,
  { appendsEvents: true },
);

/** Appends events in the caller's transaction, with one statement. Throws if the data does not match its contract. */
export async function appendEvents(transaction: Queryable, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(outboxRow);
  await transaction.query(append, [
    rows.map(({ id }) => id),
    rows.map(({ type }) => type),
    rows.map(({ envelope }) => envelope),
  ]);
}

/** The values of `outbox (id, type, envelope)`, for a statement that writes the event together with its change. */
export interface OutboxRow {
  id: string;
  type: string;
  envelope: string;
}

/** Throws if the data does not match its contract. */
export function outboxRow(event: NewEvent): OutboxRow {
  const id = uuidv7();
  return { id, type: event.definition.type, envelope: envelopeOf(event, id) };
}
