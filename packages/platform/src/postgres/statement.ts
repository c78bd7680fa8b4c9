// A statement is SQL text with a name. Naming lets each connection parse and plan it once (about twice as fast on hot
// paths), and gives metrics and slow-query logs something to say.

export interface Statement {
  readonly name: string;
  readonly text: string;
  /** It writes to the outbox: the relay is woken once this is committed. */
  readonly appendsEvents?: boolean;
}

/** `name` must be unique in the process and at most 63 bytes, PostgreSQL's limit for a prepared statement. */
export function statement(name: string, text: string, options: Pick<Statement, 'appendsEvents'> = {}): Statement {
  return Object.freeze({ name, text, ...options });
}
