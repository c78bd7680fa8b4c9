// A page of a list: at most as many rows as were asked for, and never more than a message on the bus can hold, whatever
// callers have stored in the rows.
import { MESSAGE_BYTES_MAX } from './context.js';
import { encodeCursor } from './pagination.js';

/** What the rows of a page may have as JSON; the rest of the message is for the cursor and the fields beside the rows. */
export const PAGE_BYTES_MAX = MESSAGE_BYTES_MAX - 50_000;

export interface PageOptions<Row, View> {
  limit: number;
  /** Of the cursor: list, tenant and order. */
  scope: string;
  view: (row: Row) => View;
  /** The values of a row that the next page begins after. */
  keyset: (row: Row) => (string | number)[];
}

/** `rows` are those that were found, one more than `limit` where there are more. */
export function pageOf<Row, View>(
  rows: readonly Row[],
  { limit, scope, view, keyset }: PageOptions<Row, View>,
): { items: View[]; next_cursor: string | null } {
  const items = fittingItems(rows.slice(0, limit).map(view));
  const last = rows[items.length - 1];
  const isCut = items.length < rows.length;
  return { items, next_cursor: isCut && last !== undefined ? encodeCursor(scope, keyset(last)) : null };
}

/** The first items that fit into a page together; at least one, so that every page gets on. */
export function fittingItems<Item>(items: Item[]): Item[] {
  if (Buffer.byteLength(JSON.stringify(items)) <= PAGE_BYTES_MAX) return items;
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item)) + 1) > PAGE_BYTES_MAX);
  return items.slice(0, Math.max(1, end));
}
