// What an event handler works with.
import type { CloudEvent } from '@kiln/contracts';
import type { Transaction } from '../postgres/database.js';

export interface EventContext {
  /** The transaction that also holds the inbox rows. */
  readonly transaction: Transaction;
  /** Runs `work` once the transaction has committed; lost in a crash, so only for hints. */
  readonly afterCommit: (work: () => void) => void;
}

export interface EventsContext {
  /**
   * Runs `work` in one transaction with the inbox rows of `events`, for those of them that had no effect before; not at all when
   * every one had. What needs no effect is not given to it, and costs neither a transaction nor a row.
   */
  readonly once: <Event extends CloudEvent>(events: Event[], work: OnceWork<Event>) => Promise<void>;
}

export type OnceWork<Event extends CloudEvent> = (fresh: Event[], context: EventContext) => Promise<void>;
