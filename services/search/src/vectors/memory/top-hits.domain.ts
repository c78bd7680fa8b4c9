// The best hits of one search, at most `limit`.
import type { VectorHit } from '../vector-index.port.js';

type File = Pick<VectorHit, 'fileId' | 'jobNumber' | 'fence'>;

interface Hit {
  readonly file: File;
  readonly index: number;
  readonly score: number;
}

export class TopHits {
  private best: Hit[] = [];
  /** A hit below this score cannot be among the best. */
  private scoreMin = -Infinity;

  constructor(private readonly limit: number) {}

  /** Of hits with equal scores, the one that was added first ranks higher. */
  add(file: File, index: number, score: number): void {
    if (score <= this.scoreMin) return;
    this.best.push({ file, index, score });
    // Sorting twice as many hits as needed from time to time is faster than keeping them sorted.
    if (this.best.length >= 2 * this.limit) this.truncate();
  }

  /** Returns the best hits first. */
  hits(): VectorHit[] {
    this.truncate();
    return this.best.map(({ file: { fileId, jobNumber, fence }, index, score }) => {
      return { fileId, jobNumber, fence, index, score };
    });
  }

  private truncate(): void {
    this.best = this.best.sort((left, right) => right.score - left.score).slice(0, this.limit);
    if (this.best.length === this.limit) this.scoreMin = this.best.at(-1)?.score ?? -Infinity;
  }
}
