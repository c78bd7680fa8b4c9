// Finds the passages that have all terms of a clause, in the order of their numbers.
import type { PostingCursor } from '../../postings/domain/postings.js';

export class ClausePostings {
  /** For each language, one cursor per term. A passage has one language. */
  constructor(private readonly variants: readonly (readonly PostingCursor[])[]) {}

  /** No passage with a lower number has all terms. Infinity when the postings that were read have no further one. */
  get next(): number {
    return this.variants.reduce((lowest, cursors) => Math.min(lowest, nextOf(cursors)), Number.POSITIVE_INFINITY);
  }

  /** Calls `found` for each of the next passages whose number is below `end`: those of one language after those of another. */
  takeBelow(end: number, found: (number: number, place: number) => void): void {
    for (const cursors of this.variants) takeVariant(cursors, end, found);
  }

  /** Leaves out passages below `end`. Postings at `end` or above stay: those of another term may be read later. */
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
