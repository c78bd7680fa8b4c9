// Scores every passage that contains a term of the query and passes the filters, and keeps the best files. Passages are scored in windows of
// 32,768 numbers: the scores of a window fit into the processor cache. Between two terms of a window the process can do other work.
import { EventLoopBudget } from '@kiln/platform';
import type { ClauseFilter } from './clause-filter.js';
import { B, K1, TITLE_WEIGHT, type RankingWeights } from './bm25.js';
import { isSet, NUMBERS_PER_WINDOW as WINDOW, type NumberSet } from '../../postings/domain/number-set.js';
import { STRIDE, type PostingCursor } from '../../postings/domain/postings.js';
import { TopFiles, type ScoredChunk } from './top-files.js';

export interface ScoringInput {
  /** Cursors in the order of the query's terms. */
  terms: readonly PostingCursor[];
  weights: RankingWeights;
  /** A file must have all of these facets. */
  facets: readonly PostingCursor[];
  /** Null for a query without phrases and exclusions. */
  clauses: ClauseFilter | null;
  removed: NumberSet;
  /** Whether to leave out the file with this first number. */
  isSkipped: (first: number) => boolean;
  limit: number;
  /** How many chunks of a file are found. 0: only the file. */
  chunksPerFile: number;
}

const smallestNumber = (cursors: readonly PostingCursor[]) =>
  cursors.reduce((smallest, { number }) => Math.min(smallest, number), Number.POSITIVE_INFINITY);

interface Sums {
  /** The scores of a window. All are 0 between windows. */
  scores: Float64Array;
  /** One bit per number that has a score: few passages of a window contain a given word. */
  touched: Uint32Array;
  places: Int32Array;
  /** How many of the facets processed so far each number has. */
  passed: Uint8Array;
}

/** Reused by later searches: allocating half a megabyte per search would burden the garbage collector. */
const idleSums: Sums[] = [];
const IDLE_SUMS_MAX = 4;

const newSums = (): Sums => ({
  scores: new Float64Array(WINDOW),
  touched: new Uint32Array(WINDOW / 32),
  places: new Int32Array(WINDOW),
  passed: new Uint8Array(WINDOW),
});

export class PostingScorer {
  readonly top: TopFiles;
  private readonly sums = idleSums.pop() ?? newSums();
  private file = { first: -1, title: 0, chunk: 0, place: 0 };
  /** The chunks of the current file, in a search that finds several. */
  private chunks: ScoredChunk[] = [];

  constructor(private readonly input: ScoringInput) {
    this.top = new TopFiles(input.limit);
  }

  /** Scores all passages below `end`. Their postings must be appended before, and those of other passages may be. */
  async scoreBelow(end: number): Promise<void> {
    const { terms, facets, clauses } = this.input;
    const budget = new EventLoopBudget();
    for (let next = this.next; next < end; next = this.next) {
      const start = Math.floor(next / WINDOW) * WINDOW;
      const stop = Math.min(start + WINDOW, end);
      const passes = this.applyFacets(start, stop);
      for (const [position, cursor] of terms.entries()) {
        if (passes) this.addScores(cursor, this.input.weights.terms[position] ?? 0, start, stop);
        else cursor.skipTo(stop);
        if (budget.isSpent) await budget.renew();
      }
      if (passes) clauses?.markWindow(start, stop, this.touch);
      else clauses?.skipTo(stop);
      if (passes) this.collect(start, facets.length);
      if (budget.isSpent) await budget.renew();
    }
    if (end === Number.POSITIVE_INFINITY) return;
    clauses?.skipTo(end);
    for (const cursor of facets) while (cursor.number + cursor.length <= end) cursor.advance();
  }

  /** Completes the last file. All passages must be scored, and no other method may be called afterwards. */
  finish(): TopFiles {
    this.endFile();
    if (idleSums.length < IDLE_SUMS_MAX) idleSums.push(this.sums);
    return this.top;
  }

  /** No passage that has a term is below this number. */
  private get next(): number {
    return Math.min(smallestNumber(this.input.terms), this.input.clauses?.next ?? Number.POSITIVE_INFINITY);
  }

  /** Marks the numbers of the window below `stop` that pass the filters. Returns false when none does. */
  private applyFacets(start: number, stop: number): boolean {
    const { passed } = this.sums;
    let some = true;
    if (this.input.facets.length > 0) passed.fill(0);
    for (const [level, cursor] of this.input.facets.entries()) {
      some = false;
      cursor.skipListsTo(start);
      while (cursor.number < stop) {
        const from = Math.max(cursor.number - start, 0);
        const to = Math.min(cursor.number + cursor.length, stop) - start;
        for (let offset = from; offset < to; offset++) {
          if (passed[offset] !== level) continue;
          passed[offset] = level + 1;
          some = true;
        }
        // A file that continues at `stop` is needed again.
        if (cursor.number + cursor.length > stop) break;
        cursor.advance();
      }
      if (!some) return false;
    }
    return some;
  }

  private addScores(cursor: PostingCursor, weight: number, start: number, stop: number): void {
    const { scores, touched, places } = this.sums;
    const { averageChunkLength, averageTitleLength } = this.input.weights;
    const fixed = K1 * (1 - B);
    const perChunkTerm = (K1 * B) / averageChunkLength;
    const perTitleTerm = (K1 * B) / averageTitleLength;
    while (cursor.number < stop) {
      const { decoded, end: listEnd } = cursor;
      let at = cursor.at;
      for (; at < listEnd; at += STRIDE) {
        const number = decoded[at] as number;
        if (number >= stop) break;
        const place = decoded[at + 1] as number;
        const repeats = decoded[at + 2] as number;
        const saturation = fixed + (decoded[at + 3] as number) * (place === 0 ? perTitleTerm : perChunkTerm);
        const offset = number - start;
        touched[offset >> 5] = (touched[offset >> 5] as number) | (1 << (offset & 31));
        scores[offset] = (scores[offset] as number) + (weight * repeats) / (repeats + saturation);
        places[offset] = place;
      }
      cursor.at = at;
      cursor.nextList();
    }
  }

  private readonly touch = (offset: number, place: number) => {
    const { touched, places } = this.sums;
    touched[offset >> 5] = (touched[offset >> 5] as number) | (1 << (offset & 31));
    places[offset] = place;
  };

  /** Adds the scores of the window's passages to their files, in the order of their numbers, and clears the window. */
  private collect(start: number, passes: number): void {
    const { scores, touched, passed } = this.sums;
    const { clauses } = this.input;
    const removed = this.input.removed.bitmaps.get(start / WINDOW);
    for (let word = 0; word < touched.length; word++) {
      let bits = touched[word] as number;
      touched[word] = 0;
      for (; bits !== 0; bits &= bits - 1) {
        const offset = word * 32 + 31 - Math.clz32(bits & -bits);
        const score = scores[offset] as number;
        scores[offset] = 0;
        const mark = clauses === null ? 0 : clauses.takeMark(offset);
        if ((passes > 0 && passed[offset] !== passes) || (removed && isSet(removed, offset))) continue;
        this.addToFile(start + offset, this.sums.places[offset] as number, score, mark);
      }
    }
  }

  private addToFile(number: number, place: number, score: number, mark: number): void {
    const first = number - place;
    if (first !== this.file.first) {
      this.endFile();
      this.file = { first, title: 0, chunk: 0, place: 0 };
      if (this.input.chunksPerFile > 1) this.chunks = [];
    }
    if (mark !== 0) this.input.clauses?.addToFile(place, mark);
    if (place === 0) this.file.title = score;
    else {
      if (this.input.chunksPerFile > 1 && score > 0) this.chunks.push({ place, score });
      if (score <= this.file.chunk) return;
      this.file.chunk = score;
      this.file.place = place;
    }
  }

  private endFile(): void {
    const { first, title, chunk, place } = this.file;
    if (first < 0) return;
    const score = chunk + TITLE_WEIGHT * title;
    const { clauses } = this.input;
    const undecided = clauses?.endFile();
    // A file without a score has no word that ranks it, only excluded ones.
    if (clauses !== null && !(undecided && score > 0)) return;
    if (this.input.isSkipped(first)) return;
    const file = undecided ? { first, score, place, undecided } : { first, score, place };
    const isOneChunk = this.input.chunksPerFile <= 1 || !this.top.admits(score);
    this.top.add(isOneChunk ? file : { ...file, chunks: this.bestChunks() });
  }

  /** The title counts for each chunk of its file. */
  private bestChunks(): ScoredChunk[] {
    const best = this.chunks.sort((left, right) => right.score - left.score).slice(0, this.input.chunksPerFile);
    return best.map(({ place, score }) => ({ place, score: score + TITLE_WEIGHT * this.file.title }));
  }
}
