// Makes consumers idempotent: an event's id and its effect commit together, and a known id has no effect.
import type { CloudEvent } from '@kiln/contracts';
import type { Database } from '../postgres/database.js';
import { statement } from '../postgres/statement.js';
import { inLogContext } from '../observability/log-context.js';
import type { EventContext } from './event-context.js';
import type { EventsHandler } from './event-consumer.js';
import { logContextOf } from './new-event.js';

export type EventHandler = (event: CloudEvent, context: EventContext) => Promise<void>;

const receive = statement(
  'platform.inbox_receive',
  `insert into inbox (consumer, event_id) select $1, unnest($2::uuid[])
   on conflict do nothing returning event_id`,
);

/** Handles events one at a time, each exactly once; all of a batch in one transaction with their inbox rows. */
export function exactlyOnce(database: Database, consumer: string, handler: EventHandler): EventsHandler {
  return async (events) => {
    const hints: (() => void)[] = [];
    await database.transaction(async (transaction) => {
      const rows = await transaction.query<{ event_id: string }>(receive, [consumer, events.map(({ id }) => id)]);
      const fresh = new Set(rows.map((row) => row.event_id));
      const context = { transaction, afterCommit: (hint: () => void) => void hints.push(hint) };
      // `delete` returns true once, so the same event twice in one batch counts once.
      for (const event of events)
        if (fresh.delete(event.id))
          await inLogContext(
            () => logContextOf(event),
            () => handler(event, context),
          );
    });
    for (const hint of hints) hint();
  };
}
