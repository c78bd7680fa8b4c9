// Finds the files that have a posting of every group, in the order of their numbers. Groups skip to the highest file among them, so lists of
// postings between two candidates are not decoded.
import type { PostingCursor } from '../postings/domain/postings.js';

/** The number of the first passage of the file at which the cursor stands. Infinity after the last posting. */
const fileAt = (cursor: PostingCursor) =>
  cursor.number === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : cursor.number - cursor.place;

const fileOf = (group: readonly PostingCursor[]) =>
  group.reduce((lowest, cursor) => Math.min(lowest, fileAt(cursor)), Number.POSITIVE_INFINITY);

function skipTo(group: readonly PostingCursor[], file: number): void {
  for (const cursor of group) cursor.skipTo(file);
}

export class FileMatcher {
  /** The number of a passage of the last matching file that has a posting. */
  passage = -1;
  private last = -1;

  /** A file must have a posting of one cursor of each group. At least one group. */
  constructor(private readonly groups: readonly (readonly PostingCursor[])[]) {}

  /**
   * Moves to the next file that may match. Returns the number of its first passage if it matches, otherwise null. Stops before `end`:
   * postings that are read later have that number or a higher one.
   */
  step(end: number): { file: number | null; isOver: boolean } {
    const { groups } = this;
    const file = groups.reduce((highest, group) => Math.max(highest, fileOf(group)), 0);
    if (file >= end) return { file: null, isOver: true };
    for (const group of groups) skipTo(group, file);
    if (groups.some((group) => fileOf(group) !== file)) return { file: null, isOver: false };
    for (const cursor of groups[0] ?? []) {
      if (fileAt(cursor) === file) this.passage = cursor.number;
      while (fileAt(cursor) === file) cursor.advance();
    }
    // A file can have postings on both sides of `end`.
    if (file === this.last) return { file: null, isOver: false };
    this.last = file;
    return { file, isOver: false };
  }
}
