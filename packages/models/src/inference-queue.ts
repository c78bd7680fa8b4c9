/**
 * The model computes one batch at a time. Batches of searches run before batches of documents, so a search waits for at most one batch. Requests
 * beyond a limit are refused, which bounds the memory of the queue.
 */
export type Urgency = 'search' | 'document';

export class InferenceQueue {
  private requests = 0;
  private isBusy = false;
  private readonly waiting: Record<Urgency, (() => void)[]> = { search: [], document: [] };

  constructor(private readonly requestsMax: number) {}

  /** Runs a request, which computes its batches by `runBatch`. Null when too many requests wait. */
  admit<Result>(urgency: Urgency, request: (runBatch: RunBatch) => Promise<Result>): Promise<Result> | null {
    if (this.requests >= this.requestsMax) return null;
    this.requests++;
    const runBatch: RunBatch = (batch) => this.take(urgency, batch);
    return request(runBatch).finally(() => void this.requests--);
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

/** Runs a batch when the model is free. */
export type RunBatch = <Result>(batch: () => Promise<Result>) => Promise<Result>;
