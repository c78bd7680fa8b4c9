// Finds the passages that have all terms of a clause, in the order of their numbers.
import type { PostingCursor } from '../../postings/domain/postings.js';

export class ClausePostings {
  /** One cursor per term. */
  constructor(private readonly cursors: readonly PostingCursor[]) {}

  /** No passage with a lower number has all terms. Infinity when the postings that were read have no further one. */
  get next(): number {
    return this.cursors.reduce((highest, { number }) => Math.max(highest, number), 0);
  }

  /** Calls `found` for each of the next passages whose number is below `end`. */
  takeBelow(end: number, found: (number: number, place: number) => void): void {
    const [first] = this.cursors;
    if (!first) return;
    for (let number = this.next; number < end; number = this.next) {
      for (const cursor of this.cursors) cursor.skipTo(number);
      if (this.cursors.some((cursor) => cursor.number !== number)) continue;
      found(number, first.place);
      first.advance();
    }
    this.skipTo(end);
  }

  /** Leaves out passages below `end`. Postings at `end` or above stay: those of another term may be read later. */
  skipTo(end: number): void {
    for (const cursor of this.cursors) cursor.skipTo(end);
  }
}
