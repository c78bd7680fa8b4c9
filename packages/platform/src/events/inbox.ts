// Makes consumers idempotent: an event's id and its effect commit together, and a known id has no effect.
import type { Queryable } from '../postgres/transaction.js';
import { statement } from '../postgres/statement.js';

const receive = statement(
  'platform.inbox_receive',
  `insert into inbox (consumer, event_id) select $1, unnest($2::uuid[])
   on conflict do nothing returning event_id`,
);

/** Records `eventIds` for `consumer` and returns those that are new to it. */
export async function receiveEvents(
  transaction: Queryable,
  consumer: string,
  eventIds: string[],
): Promise<Set<string>> {
  const rows = await transaction.query<{ event_id: string }>(receive, [consumer, eventIds]);
  return new Set(rows.map((row) => row.event_id));
}
