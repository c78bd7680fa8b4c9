// A statement is SQL text with a name. Each connection parses and plans it once, which is about twice as fast on hot paths. The
// name identifies it in metrics and slow-query logs.

export interface Statement {
  readonly name: string;
  readonly text: string;
  /** It writes to the outbox, so its commit wakes the relay. */
  readonly appendsEvents?: boolean;
  /**
   * It is planned for the values of each call, which takes about half a millisecond. For reads whose best index depends on the values:
   * otherwise a connection keeps, after a few calls, a plan that suits the average.
   */
  readonly plannedForValues?: boolean;
}

/** `name` must be unique in the process and at most 63 bytes, PostgreSQL's limit for a prepared statement. */
export function statement(
  name: string,
  text: string,
  options: Pick<Statement, 'appendsEvents' | 'plannedForValues'> = {},
): Statement {
  return Object.freeze({ name, text, ...options });
}

/** The query for the driver, which prepares queries that have a name. */
export const queryOf = ({ name, text, plannedForValues }: Statement, values: unknown[]) =>
  plannedForValues ? { text, values } : { name, text, values };
