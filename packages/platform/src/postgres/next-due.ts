// When the next row of a queue is due. By the database's clock, which wrote the times.
import { statement, type Statement } from './statement.js';
import type { Queryable } from './database.js';

/** `firstDue` is a query for one time: the earliest one, which an index should lead to. */
export const nextDueStatement = (name: string, firstDue: string): Statement =>
  statement(
    name,
    `select ceil(extract(epoch from greatest(due_at, now()) - now()) * 1000)::float8 as milliseconds
     from (${firstDue}) as first (due_at) where due_at is not null`,
  );

/** Milliseconds until the first row is due, 0 when it is due already; null when there is no row. */
export async function nextDueInMs(on: Queryable, nextDue: Statement, values?: unknown[]): Promise<number | null> {
  const [first] = await on.query<{ milliseconds: number }>(nextDue, values);
  return first?.milliseconds ?? null;
}
