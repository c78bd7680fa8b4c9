// The best files of one search, at most `limit`.

import type { Undecided } from './clause-filter.js';

export interface ScoredChunk {
  readonly place: number;
  readonly score: number;
}

export interface ScoredFile {
  /** The number of the file's first passage. */
  readonly first: number;
  readonly score: number;
  /** The place of the best chunk. 0 when only the title matches. */
  readonly place: number;
  /** The best chunks, the best first, in a search that finds several of a file. Empty when only the title matches. */
  readonly chunks?: readonly ScoredChunk[];
  /** What the texts must decide, in a search with clauses. */
  readonly undecided?: Undecided;
}

export class TopFiles {
  /** How many files matched, including those beyond the limit. */
  total = 0;
  /** At most twice the limit, so that a file costs little however high the limit is. */
  private readonly kept: ScoredFile[] = [];
  /** The lowest score of the best files, when there are as many as the limit. */
  private lowest = Number.NEGATIVE_INFINITY;

  constructor(private readonly limit: number) {}

  /** The best first. */
  get files(): readonly ScoredFile[] {
    this.trim();
    return this.kept;
  }

  /** Whether a file with this score may be among the best so far. */
  admits(score: number): boolean {
    return score > this.lowest;
  }

  /** Files must be added in the order of their numbers. Of two files with equal scores, the one with the lower number ranks higher. */
  add(file: ScoredFile): void {
    this.total++;
    if (!this.admits(file.score)) return;
    this.kept.push(file);
    if (this.kept.length >= 2 * this.limit) this.trim();
  }

  /** Adds files that match beside those that are added one by one. */
  addFurther(count: number): void {
    this.total += count;
  }

  /** The sort keeps the order of files with equal scores. */
  private trim(): void {
    const { kept, limit } = this;
    kept.sort((left, right) => right.score - left.score);
    if (kept.length < limit) return;
    kept.length = limit;
    this.lowest = kept.at(-1)?.score ?? Number.NEGATIVE_INFINITY;
  }
}
