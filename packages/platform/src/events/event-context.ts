// The context of an event handler.
import type { CloudEvent } from '@kiln/contracts';
import type { Transaction } from '../postgres/transaction.js';

export interface EventContext {
  /** The transaction that also contains the inbox rows. */
  readonly transaction: Transaction;
  /** Runs `work` after the transaction has committed. It is lost in a crash, so use it only for hints. */
  readonly afterCommit: (work: () => void) => void;
}

export interface EventsContext {
  /**
   * Runs `work` in one transaction with the inbox rows of `events`. `work` receives only the events that are new to the inbox, and
   * is not called if there are none. Leave out events that need no effect: they then cost neither a transaction nor a row.
   */
  readonly once: <Event extends CloudEvent>(events: Event[], work: OnceWork<Event>) => Promise<void>;
}

export type OnceWork<Event extends CloudEvent> = (fresh: Event[], context: EventContext) => Promise<void>;
