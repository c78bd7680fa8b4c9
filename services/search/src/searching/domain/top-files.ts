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

/** Files must be added in the order of their numbers. Of two files with equal scores, the one with the lower number ranks higher. */
export class TopFiles extends Best<ScoredFile> {
  /** How many files matched, including those beyond the limit. */
  total = 0;

  override add(file: ScoredFile): void {
    this.total++;
    super.add(file);
  }

  /** Adds files that match beside those that are added one by one. */
  addFurther(count: number): void {
    this.total += count;
  }
}
