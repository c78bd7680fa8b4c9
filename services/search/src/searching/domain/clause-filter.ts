// Applies the clauses of a query to the scored files. In each window it marks the passages that have all terms of a clause. At the end of a
// file it knows whether the postings exclude the file, and which texts must decide otherwise.
import type { Clause } from './clause.js';
import { NUMBERS_PER_WINDOW as WINDOW } from '../../postings/domain/number-set.js';
import type { PostingCursor } from '../../postings/domain/postings.js';

/** What the texts of a file must decide. */
export interface Undecided {
  /** For each clause: the places of the passages that have all of its terms. Empty when the postings decide the clause. */
  readonly places: readonly (readonly number[])[];
  /** Whether a clause has more places than are kept. */
  readonly truncated: boolean;
}

export class ClauseFilter {
  private readonly marks = new Uint32Array(WINDOW);
  private readonly required: number;
  private readonly forbidden: number;
  private seen = 0;
  private truncated = false;
  private places: number[][];

  /**
   * `postings` has the postings of each clause. At most 32 clauses, because each has a bit. `placesMax` is the number of places kept for
   * each file and clause.
   */
  constructor(
    private readonly clauses: readonly Clause[],
    private readonly postings: readonly ClausePostings[],
    private readonly placesMax: number,
  ) {
    const bitsOf = (test: (clause: Clause) => boolean) =>
      clauses.reduce((bits, clause, position) => (test(clause) ? bits | (1 << position) : bits), 0);
    this.required = bitsOf(({ excluded }) => !excluded);
    this.forbidden = bitsOf(({ excluded, needsText }) => excluded && !needsText);
    this.places = clauses.map(() => []);
  }

  /** All passages that are marked later have this number or a higher one. */
  get next(): number {
    return this.postings.reduce((lowest, { next }) => Math.min(lowest, next), Number.POSITIVE_INFINITY);
  }

  skipTo(end: number): void {
    for (const postings of this.postings) postings.skipTo(end);
  }

  /** Marks passages below `stop` of the window that begins at `start`. Calls `marked` with the offset and the place of each. */
  markWindow(start: number, stop: number, marked: (offset: number, place: number) => void): void {
    for (const [position, postings] of this.postings.entries()) {
      postings.takeBelow(stop, (number, place) => {
        const offset = number - start;
        this.marks[offset] = (this.marks[offset] as number) | (1 << position);
        marked(offset, place);
      });
    }
  }

  /** Returns the mark of a passage and removes it. */
  takeMark(offset: number): number {
    const mark = this.marks[offset] as number;
    this.marks[offset] = 0;
    return mark;
  }

  /** Adds a passage to the current file. */
  addToFile(place: number, mark: number): void {
    this.seen |= mark;
    for (const [position, { needsText }] of this.clauses.entries()) {
      if (!needsText || (mark & (1 << position)) === 0) continue;
      const places = this.places[position] as number[];
      if (places.length < this.placesMax) places.push(place);
      else this.truncated = true;
    }
  }

  /** Ends the current file. Returns null when the postings rule it out. */
  endFile(): Undecided | null {
    const { seen, places, truncated } = this;
    const isRuledOut = (seen & this.required) !== this.required || (seen & this.forbidden) !== 0;
    if (isRuledOut && seen === 0) return null;
    this.seen = 0;
    this.truncated = false;
    this.places = this.clauses.map(() => []);
    if (isRuledOut) return null;
    return { places, truncated };
  }
}

/** Finds the passages that have all terms of a clause, in the order of their numbers. */
export class ClausePostings {
  /** For each language, one cursor per term. A passage has one language. */
  constructor(private readonly variants: readonly (readonly PostingCursor[])[]) {}

  /**
   * The next passages with all terms have this number or a higher one. Infinity when the postings that were read contain no further one.
   */
  get next(): number {
    return this.variants.reduce((lowest, cursors) => Math.min(lowest, nextOf(cursors)), Number.POSITIVE_INFINITY);
  }

  /** Calls `found` for each of the next passages whose number is below `end`, one language after the other. */
  takeBelow(end: number, found: (number: number, place: number) => void): void {
    for (const cursors of this.variants) takeVariant(cursors, end, found);
  }

  /** Skips passages below `end`. Postings at `end` or above stay, because postings of another term may be read later. */
  skipTo(end: number): void {
    for (const cursors of this.variants) skipCursors(cursors, end);
  }
}

const nextOf = (cursors: readonly PostingCursor[]) =>
  cursors.reduce((highest, { number }) => Math.max(highest, number), 0);

function skipCursors(cursors: readonly PostingCursor[], end: number): void {
  for (const cursor of cursors) cursor.skipTo(end);
}

function takeVariant(
  cursors: readonly PostingCursor[],
  end: number,
  found: (number: number, place: number) => void,
): void {
  const [first] = cursors;
  if (!first) return;
  for (let number = nextOf(cursors); number < end; number = nextOf(cursors)) {
    skipCursors(cursors, number);
    if (cursors.some((cursor) => cursor.number !== number)) continue;
    found(number, first.place);
    first.advance();
  }
  skipCursors(cursors, end);
}
