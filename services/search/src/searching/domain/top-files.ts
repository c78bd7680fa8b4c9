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
  /** The best first. */
  readonly files: ScoredFile[] = [];

  constructor(private readonly limit: number) {}

  /** Whether a file with this score is among the best so far. */
  admits(score: number): boolean {
    return this.files.length < this.limit || score > (this.files.at(-1)?.score ?? 0);
  }

  /** Files must be added in the order of their numbers. Of two files with equal scores, the one with the lower number ranks higher. */
  add(file: ScoredFile): void {
    this.total++;
    const { files, limit } = this;
    if (!this.admits(file.score)) return;
    let low = 0;
    let high = files.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((files[middle]?.score ?? 0) >= file.score) low = middle + 1;
      else high = middle;
    }
    files.splice(low, 0, file);
    if (files.length > limit) files.pop();
  }
}
