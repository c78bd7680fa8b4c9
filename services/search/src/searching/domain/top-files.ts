// The best files of one search, at most `limit`.

import { Best } from './best.js';
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
  private readonly best: Best<ScoredFile>;

  constructor(limit: number) {
    this.best = new Best(limit);
  }

  /** The best first. */
  get files(): readonly ScoredFile[] {
    return this.best.items;
  }

  /** Whether a file with this score may be among the best so far. */
  admits(score: number): boolean {
    return this.best.admits(score);
  }

  /** Files must be added in the order of their numbers. Of two files with equal scores, the one with the lower number ranks higher. */
  add(file: ScoredFile): void {
    this.total++;
    this.best.add(file);
  }

  /** Adds files that match beside those that are added one by one. */
  addFurther(count: number): void {
    this.total += count;
  }
}
