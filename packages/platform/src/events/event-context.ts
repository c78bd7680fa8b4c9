// The context of an event handler.
import type { Transaction } from '../postgres/transaction.js';

export interface EventContext {
  /** The transaction that also contains the inbox rows. */
  readonly transaction: Transaction;
  /** Runs `work` after the transaction has committed. It is lost in a crash, so use it only for hints. */
  readonly afterCommit: (work: () => void) => void;
}
