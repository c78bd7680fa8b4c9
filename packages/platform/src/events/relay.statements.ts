// The SQL statements of the relay. Parameters are wrapped in sub-selects: Postgres replans a statement on each call if it can see
// the values, and planning takes longer than the statement. All but the sweep are planned by index (PlanOptions).
import { statement } from '../postgres/statement.js';

export interface ClaimedEvent {
  sequence: number;
  id: string;
  type: string;
  envelope: string;
}

/** Claims up to $1 events that no other relay holds, in write order. */
export const claim = statement(
  'platform.outbox_claim',
  `select sequence, id, type, envelope from outbox where published_at is null
   order by sequence limit (select $1::int) for update skip locked`,
);

/** Marks events $1 (their sequences) as published. */
export const mark = statement(
  'platform.outbox_mark',
  `update outbox set published_at = now() where sequence = any ((select $1::bigint[])::bigint[])`,
);

/** Quarantines row $1: with an infinite time it is neither claimed nor swept. */
export const quarantine = statement(
  'platform.outbox_quarantine',
  `update outbox set published_at = 'infinity' where sequence = (select $1::bigint)`,
);

/** Waits for the relay that is quarantining the row. */
export const lockRow = statement(
  'platform.outbox_lock',
  'select 1 from outbox where sequence = (select $1::bigint) for update',
);

export const requeue = statement(
  'platform.outbox_requeue',
  `update outbox set published_at = null where sequence = (select $1::bigint) and published_at = 'infinity'`,
);

/** Rows per table and statement. */
export const SWEPT_MAX = 5_000;

const sweepTable = (table: string, condition: string) =>
  `delete from ${table} where ctid = any (array (
     select ctid from ${table} where ${condition} limit ${SWEPT_MAX} for update skip locked)) returning 1`;

/**
 * Removes events that were published a day ago. The inbox is kept longer than the stream keeps events, so that a late redelivery
 * still finds its row. (A requeued dead letter, which may be older, reaches only the consumer that failed.) Returns the larger of the two numbers of removed rows.
 */
export const sweep = statement(
  'platform.outbox_sweep',
  `with published as (${sweepTable('outbox', `published_at < now() - interval '24 hours'`)}
   ), received as (${sweepTable('inbox', `received_at < now() - interval '8 days'`)}
   )
   select greatest((select count(*) from published), (select count(*) from received))::int as swept`,
);
