// What the relay says to the database. Values stand in sub-selects: with values that it can see, each call is planned anew, which
// takes longer than the statement itself. To be planned by index (PlanOptions), but for the sweep.
import { statement } from '../postgres/statement.js';
import type { StoredBatch } from './event-batch.js';

/** A row of `outbox`, which is a batch of one event whose id and type are known. */
export interface ClaimedEvent extends StoredBatch {
  sequence: number;
  id: string;
  type: string;
}

/** A row of `outbox_batches`. */
export interface ClaimedBatch extends StoredBatch {
  sequence: number;
  id: null;
  type: null;
}

export type ClaimedRow = ClaimedEvent | ClaimedBatch;

/**
 * Single events, up to $1, and batches that nobody else is at, each kind in the order in which it was written. Of batches up to
 * $2, and the last of them is the one in which their $1st event lies.
 */
export const claim = statement(
  'platform.outbox_claim',
  `with single as (
     select sequence, id, type, envelope from outbox where published_at is null
     order by sequence limit (select $1::int) for update skip locked
   ), batch as (
     select sequence, envelopes, packed, left_out, events from outbox_batches where published_at is null
     order by sequence limit (select $2::int) for update skip locked
   )
   select sequence, id, type, envelope as envelopes, null::bytea as packed, '{}'::int[] as left_out from single
   union all
   select sequence, null, null, envelopes, packed, left_out
   from (select *, sum(events) over (order by sequence) - events as events_before from batch) batch
   where events_before < (select $1::int)`,
);

/** Single events $1 and batches $2, by their sequences, are published. */
export const mark = statement(
  'platform.outbox_mark',
  `with batch as (
     update outbox_batches set published_at = now() where sequence = any ((select $2::bigint[])::bigint[])
   )
   update outbox set published_at = now() where sequence = any ((select $1::bigint[])::bigint[])`,
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
  `with single as (${sweepTable('outbox', `published_at < now() - interval '24 hours'`)}
   ), batch as (${sweepTable('outbox_batches', `published_at < now() - interval '24 hours'`)}
   ), received as (${sweepTable('inbox', `received_at < now() - interval '8 days'`)}
   )
   select greatest((select count(*) from single), (select count(*) from batch), (select count(*) from received))::int as swept`,
);
