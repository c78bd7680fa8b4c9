// A page of a list: at most the requested number of rows, and never more than a message on the bus can hold, however large
// the rows are.
import { MESSAGE_BYTES_MAX } from './context.js';
import { encodeCursor } from './pagination.js';

/** The bytes of JSON available for the rows. The rest of the message is for the cursor and the other fields. */
export const PAGE_BYTES_MAX = MESSAGE_BYTES_MAX - 50_000;

export interface PageOptions<Row, View> {
  limit: number;
  /** The scope of the cursor: list, tenant and order. */
  scope: string;
  view: (row: Row) => View;
  /** The keyset values of the last row of the page. */
  keyset: (row: Row) => (string | number)[];
  /** Where the search for rows stopped before it found enough. The next page continues there. */
  stoppedAfter?: readonly (string | number)[] | null;
}

/** `rows` has one row more than `limit` if there are more. */
export function pageOf<Row, View>(
  rows: readonly Row[],
  { limit, scope, view, keyset, stoppedAfter = null }: PageOptions<Row, View>,
): { items: View[]; next_cursor: string | null } {
  const items = fittingItems(rows.slice(0, limit).map(view));
  const last = rows[items.length - 1];
  const isCut = items.length < rows.length;
  const after = isCut && last !== undefined ? keyset(last) : stoppedAfter;
  return { items, next_cursor: after && encodeCursor(scope, [...after]) };
}

/** The first items that fit into a page together: at least one, so that paging always advances. */
export function fittingItems<Item>(items: Item[]): Item[] {
  if (Buffer.byteLength(JSON.stringify(items)) <= PAGE_BYTES_MAX) return items;
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item)) + 1) > PAGE_BYTES_MAX);
  return items.slice(0, Math.max(1, end));
}
