/**
 * Batches of all requests take turns on the model, one at a time. Those of searches come before those of documents, so that a search waits for one
 * batch at most. Requests beyond a limit are refused, so that waiting ones need bounded memory.
 */
export type Urgency = 'search' | 'document';

export class InferenceQueue {
  private requests = 0;
  private isBusy = false;
  private readonly waiting: Record<Urgency, (() => void)[]> = { search: [], document: [] };

  constructor(private readonly requestsMax: number) {}

  /** Runs a request, whose batches call `turn`. Null when too many requests wait. */
  admit<Result>(urgency: Urgency, request: (turn: Turn) => Promise<Result>): Promise<Result> | null {
    if (this.requests >= this.requestsMax) return null;
    this.requests++;
    const turn: Turn = (batch) => this.take(urgency, batch);
    return request(turn).finally(() => void this.requests--);
  }

  private async take<Result>(urgency: Urgency, batch: () => Promise<Result>): Promise<Result> {
    if (this.isBusy) await new Promise<void>((resolve) => void this.waiting[urgency].push(resolve));
    this.isBusy = true;
    try {
      return await batch();
    } finally {
      const next = this.waiting.search.shift() ?? this.waiting.document.shift();
      // The next batch keeps the model busy: no other can come between.
      if (next) next();
      else this.isBusy = false;
    }
  }
}

/** Runs a batch when it is its turn. */
export type Turn = <Result>(batch: () => Promise<Result>) => Promise<Result>;
