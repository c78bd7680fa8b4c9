// The time until the next row of a queue is due, by the database's clock, which also wrote the times.
import { statement, type Statement } from './statement.js';
import type { Queryable } from './transaction.js';

/** `firstDue` selects one value, the earliest due time. An index should support it. */
export const nextDueStatement = (name: string, firstDue: string): Statement =>
  statement(
    name,
    `select ceil(extract(epoch from greatest(due_at, now()) - now()) * 1000)::float8 as milliseconds
     from (${firstDue}) as first (due_at) where due_at is not null`,
  );

/** Milliseconds until the first row is due. 0 if it is due already, null if there is no row. */
export async function nextDueInMs(on: Queryable, nextDue: Statement, values?: unknown[]): Promise<number | null> {
  const [first] = await on.query<{ milliseconds: number }>(nextDue, values);
  return first?.milliseconds ?? null;
}
