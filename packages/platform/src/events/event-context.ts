// What an event handler works with.
import type { Transaction } from '../postgres/database.js';

export interface CommitContext {
  /** The transaction that also holds the inbox rows. */
  readonly transaction: Transaction;
  /** Runs `work` once the transaction has committed; lost in a crash, so only for hints. */
  readonly afterCommit: (work: () => void) => void;
}

export interface EventContext extends CommitContext {
  /**
   * Hands `item` to `work`, which runs once for all events that came together, before their transaction commits. Items are
   * told apart by the identity of `work`: pass the same function each time.
   */
  readonly together: <Item>(work: (items: Item[], context: CommitContext) => Promise<void>, item: Item) => void;
}
