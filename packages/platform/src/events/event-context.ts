// What an event handler works with.
import type { Transaction } from '../postgres/database.js';

export interface EventContext {
  /** The transaction that also holds the inbox row. */
  readonly transaction: Transaction;
  /** Runs `work` once the transaction has committed; lost in a crash, so only for hints. */
  readonly afterCommit: (work: () => void) => void;
}
