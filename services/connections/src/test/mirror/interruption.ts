// Ends or delays a claim of a sync at one of its steps: a page from the bucket, or a call to the database.
import { unavailable } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import { AsyncLocalStorage } from 'node:async_hooks';
import { BucketError } from '../../external-buckets/domain/bucket-error.js';
import type { WatchedAccess } from '../syncs-harness.js';

/**
 * `dies`: the claim continues only after the history. `stalls`: it continues while another worker runs the next claim. `stops`: the worker is
 * asked to stop. `throttled`: the bucket refuses a page. `outage`: the bucket refuses the first page, and the sync has no retry left. `answer
 * lost`: a statement is executed, and its answer is lost.
 */
export const interruptionKinds = ['dies', 'stalls', 'stops', 'throttled', 'outage', 'answer lost'] as const;

export interface Interruption {
  kind: (typeof interruptionKinds)[number];
  /** The first step at which it may happen, from 0. An outage has none. */
  step: number;
}

/** One claim and its interruption. */
export class InterruptedClaim {
  readonly controller = new AbortController();
  /** Resolves when the claim waits for `goOn`. */
  readonly waits: Promise<void>;
  hasHappened = false;
  isWaiting = false;
  private steps = 0;
  /** Calls to the database that have no answer yet. */
  private calls = 0;
  private startWaiting = (): void => undefined;
  private goOnNow = (): void => undefined;
  private readonly released: Promise<void>;

  constructor(private readonly interruption: Interruption | undefined) {
    this.waits = new Promise((resolve) => (this.startWaiting = resolve));
    this.released = new Promise((resolve) => (this.goOnNow = resolve));
  }

  get kind(): Interruption['kind'] | undefined {
    return this.interruption?.kind;
  }

  /** Continues the claim after another worker has claimed the sync. */
  goOn(): void {
    this.goOnNow();
  }

  async atPage(): Promise<void> {
    if (this.happens('throttled') || this.happens('outage'))
      throw new BucketError('unreachable', 'Slow down.', { retryable: true });
    await this.atAnyStep();
  }

  async atCall<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.happens('answer lost')) {
      await call();
      throw unavailable('The database');
    }
    await this.atAnyStep();
    this.calls += 1;
    try {
      return await call();
    } finally {
      this.calls -= 1;
      this.waitIfIdle();
    }
  }

  private async atAnyStep(): Promise<void> {
    if (this.happens('stops')) this.controller.abort();
    if (this.happens('dies') || this.happens('stalls')) this.isWaiting = true;
    // A claim requests several pages at a time, which all wait then.
    if (this.isWaiting) {
      this.waitIfIdle();
      await this.released;
    }
    this.steps += 1;
  }

  private waitIfIdle(): void {
    if (this.isWaiting && this.calls === 0) this.startWaiting();
  }

  private happens(kind: Interruption['kind']): boolean {
    const { interruption } = this;
    if (this.hasHappened || interruption?.kind !== kind) return false;
    if (kind !== 'outage' && this.steps < interruption.step) return false;
    this.hasHappened = true;
    return true;
  }
}

const current = new AsyncLocalStorage<InterruptedClaim>();

export const within = <Result>(claim: InterruptedClaim, work: () => Promise<Result>): Promise<Result> =>
  current.run(claim, work);

/** Makes the calls of claims their steps. Calls of the test have none. `onPage` runs before a page is committed. */
export function interruptClaims(database: Database, access: WatchedAccess, onPage: () => Promise<void>): void {
  const query = database.query.bind(database);
  const transaction = database.transaction.bind(database);
  const asStep = <Result>(call: () => Promise<Result>) => current.getStore()?.atCall(call) ?? call();
  database.query = (...given) => asStep(() => query(...given)) as never;
  database.transaction = (...given) => asStep(() => transaction(...given)) as never;
  access.onPage = async () => {
    await current.exit(onPage);
    await current.getStore()?.atPage();
  };
}
