// What the relay says to the database. Values stand in sub-selects: with values that it can see, each call is planned anew, which
// takes longer than the statement itself. To be planned by index (PlanOptions), but for the sweep.
import { statement } from '../postgres/statement.js';

export interface ClaimedEvent {
  sequence: number;
  id: string;
  type: string;
  envelope: string;
}

/** Up to $1 events that no other relay holds, in the order in which they were written. */
export const claim = statement(
  'platform.outbox_claim',
  `select sequence, id, type, envelope from outbox where published_at is null
   order by sequence limit (select $1::int) for update skip locked`,
);

/** The events $1, by their sequences, are published. */
export const mark = statement(
  'platform.outbox_mark',
  `update outbox set published_at = now() where sequence = any ((select $1::bigint[])::bigint[])`,
);

/** The row $1 counts as published at no time that ever comes: it is neither claimed nor swept. */
export const setAside = statement(
  'platform.outbox_set_aside',
  `update outbox set published_at = 'infinity' where sequence = (select $1::bigint)`,
);

/** Waits for the relay that is setting the row aside. */
export const lockRow = statement(
  'platform.outbox_lock',
  'select 1 from outbox where sequence = (select $1::bigint) for update',
);

export const takeBack = statement(
  'platform.outbox_take_back',
  `update outbox set published_at = null where sequence = (select $1::bigint) and published_at = 'infinity'`,
);

/** Of each table, at a time. */
export const SWEPT_MAX = 5_000;

const sweepTable = (table: string, condition: string) =>
  `delete from ${table} where ctid = any (array (
     select ctid from ${table} where ${condition} limit ${SWEPT_MAX} for update skip locked)) returning 1`;

/**
 * Removes what was published a day ago. The inbox is kept longer than the stream keeps events, so that no late redelivery
 * finds its row gone. Answers the number of rows removed from the table that lost most.
 */
export const sweep = statement(
  'platform.outbox_sweep',
  `with published as (${sweepTable('outbox', `published_at < now() - interval '24 hours'`)}
   ), received as (${sweepTable('inbox', `received_at < now() - interval '8 days'`)}
   )
   select greatest((select count(*) from published), (select count(*) from received))::int as swept`,
);
