// An event is written in the transaction that makes it true; the relay publishes it afterwards, however often it must try.
import { envelopeOf } from './envelope.js';
import type { NewEvent } from './new-event.js';
import type { Queryable } from '../postgres/database.js';
import { statement } from '../postgres/statement.js';
import { v7 as uuidv7 } from 'uuid';

const append = statement(
  'platform.outbox_append',
  `insert into outbox (id, type, envelope)
   select * from unnest($1::uuid[], $2::text[], $3::text[])`,
  { appendsEvents: true },
);

/** Appends events inside the caller's transaction, in one statement. Throws when data does not fit its contract. */
export async function appendEvents(transaction: Queryable, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(outboxRow);
  await transaction.query(append, [
    rows.map(({ id }) => id),
    rows.map(({ type }) => type),
    rows.map(({ envelope }) => envelope),
  ]);
}

/** What `outbox (id, type, envelope)` holds of an event, for a statement that writes it together with what it states. */
export interface OutboxRow {
  id: string;
  type: string;
  envelope: string;
}

/** Throws when data does not fit its contract. */
export function outboxRow(event: NewEvent): OutboxRow {
  const id = uuidv7();
  return { id, type: event.definition.type, envelope: envelopeOf(event, id) };
}
