// Scores every passage that holds a term of the query and passes the filters, and keeps the best files. Passages are scored in
// windows of 32,768 numbers: the sums of a window fit into a processor's cache, and between two windows the process can
// do other work.
import { B, K1, TITLE_WEIGHT, type RankingWeights } from './bm25.js';
import { isSet, NUMBERS_PER_WINDOW as WINDOW, type NumberSet } from './number-set.js';
import { STRIDE, type PostingCursor } from './postings.js';
import { TopFiles } from './top-files.js';

export interface ScoringInput {
  /** By the position of the term in the query. */
  terms: readonly PostingCursor[];
  weights: RankingWeights;
  /** A file must be in each of these. */
  facets: readonly PostingCursor[];
  removed: NumberSet;
  limit: number;
}

const smallestNumber = (cursors: readonly PostingCursor[]) =>
  cursors.reduce((smallest, { number }) => Math.min(smallest, number), Number.POSITIVE_INFINITY);

interface Sums {
  /** All 0 between two windows. */
  scores: Float64Array;
  places: Int32Array;
  /** How many facets each number of the window is in, as far as they were looked at. */
  passed: Uint8Array;
}

/** Of searches that have ended: half a megabyte for each search would keep the garbage collector busy. */
const idleSums: Sums[] = [];
const IDLE_SUMS_MAX = 4;

const newSums = (): Sums => ({
  scores: new Float64Array(WINDOW),
  places: new Int32Array(WINDOW),
  passed: new Uint8Array(WINDOW),
});

export class PostingScorer {
  readonly top: TopFiles;
  private readonly sums = idleSums.pop() ?? newSums();
  /** The last passage of the window that has a score. */
  private lastOffset = 0;
  private file = { first: -1, title: 0, chunk: 0, place: 0 };

  constructor(private readonly input: ScoringInput) {
    this.top = new TopFiles(input.limit);
  }

  /** Scores the next window that has postings, if it begins before `end`; false when there is none. */
  scoreWindow(end: number): boolean {
    const { terms, facets } = this.input;
    const first = smallestNumber(terms);
    if (first >= end || first === Number.POSITIVE_INFINITY) return false;
    const start = Math.floor(first / WINDOW) * WINDOW;
    const passes = this.applyFacets(start);
    for (const [position, cursor] of terms.entries()) {
      if (passes) this.addScores(cursor, this.input.weights.terms[position] ?? 0, start);
      else cursor.skipTo(start + WINDOW);
    }
    if (passes) this.collect(start, facets.length);
    return true;
  }

  /** Ends the last file. All windows must be scored, and no other method may be called after this. */
  finish(): TopFiles {
    this.endFile();
    if (idleSums.length < IDLE_SUMS_MAX) idleSums.push(this.sums);
    return this.top;
  }

  /** Marks what passes the filters; false when nothing in the window does. */
  private applyFacets(start: number): boolean {
    const { passed } = this.sums;
    let some = true;
    if (this.input.facets.length > 0) passed.fill(0);
    for (const [level, cursor] of this.input.facets.entries()) {
      some = false;
      while (cursor.number < start + WINDOW) {
        const from = Math.max(cursor.number - start, 0);
        const to = Math.min(cursor.number + cursor.length - start, WINDOW);
        for (let offset = from; offset < to; offset++) {
          if (passed[offset] !== level) continue;
          passed[offset] = level + 1;
          some = true;
        }
        // A file that goes on behind the window is needed once more.
        if (cursor.number + cursor.length > start + WINDOW) break;
        cursor.advance();
      }
      if (!some) return false;
    }
    return some;
  }

  private addScores(cursor: PostingCursor, weight: number, start: number): void {
    const { scores, places } = this.sums;
    const { averageChunkLength, averageTitleLength } = this.input.weights;
    const end = start + WINDOW;
    const fixed = K1 * (1 - B);
    const perChunkTerm = (K1 * B) / averageChunkLength;
    const perTitleTerm = (K1 * B) / averageTitleLength;
    while (cursor.number < end) {
      const { decoded, end: runEnd } = cursor;
      let at = cursor.at;
      for (; at < runEnd; at += STRIDE) {
        const number = decoded[at] as number;
        if (number >= end) break;
        const place = decoded[at + 1] as number;
        const repeats = decoded[at + 2] as number;
        const saturation = fixed + (decoded[at + 3] as number) * (place === 0 ? perTitleTerm : perChunkTerm);
        const offset = number - start;
        if (offset > this.lastOffset) this.lastOffset = offset;
        scores[offset] = (scores[offset] as number) + (weight * repeats) / (repeats + saturation);
        places[offset] = place;
      }
      cursor.at = at;
      cursor.nextRun();
    }
  }

  /** Hands the window's passages to their files, in the order of their numbers, and clears the window. */
  private collect(start: number, passes: number): void {
    const { scores, places, passed } = this.sums;
    const removed = this.input.removed.bitmaps.get(start / WINDOW);
    for (let offset = 0; offset <= this.lastOffset; offset++) {
      const score = scores[offset] as number;
      if (score === 0) continue;
      scores[offset] = 0;
      if ((passes > 0 && passed[offset] !== passes) || (removed && isSet(removed, offset))) continue;
      const place = places[offset] as number;
      const first = start + offset - place;
      if (first !== this.file.first) {
        this.endFile();
        this.file = { first, title: 0, chunk: 0, place: 0 };
      }
      if (place === 0) this.file.title = score;
      else if (score > this.file.chunk) {
        this.file.chunk = score;
        this.file.place = place;
      }
    }
    this.lastOffset = 0;
  }

  private endFile(): void {
    const { first, title, chunk, place } = this.file;
    if (first >= 0) this.top.add({ first, score: chunk + TITLE_WEIGHT * title, place });
  }
}
