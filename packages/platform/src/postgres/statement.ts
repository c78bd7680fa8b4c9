// A statement is SQL text with a name. Each connection parses and plans it once, which is about twice as fast on hot paths. The
// name identifies it in metrics and slow-query logs.

export interface Statement {
  readonly name: string;
  readonly text: string;
  /** It writes to the outbox, so its commit wakes the relay. */
  readonly appendsEvents?: boolean;
}

/** `name` must be unique in the process and at most 63 bytes, PostgreSQL's limit for a prepared statement. */
export function statement(name: string, text: string, options: Pick<Statement, 'appendsEvents'> = {}): Statement {
  return Object.freeze({ name, text, ...options });
}
