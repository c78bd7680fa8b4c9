/**
 * Finds headings that differ from their paragraph only in the face, such as italics. They are neither larger, nor
 * bolder, nor further apart.
 */
import type { TextLine } from './text-lines.js';
import { endsEarly, isSameSize } from './wrap-edges.js';

/** Headings have at most this many lines. */
const headLinesMax = 4;
/** Lines of a paragraph are closer than this, in multiples of the size. */
const pitchMax = 2.5;

/** Whether lines head the paragraph that begins with `line`. `next` follows `line`. */
export function areHead(
  lines: readonly TextLine[],
  line: TextLine | undefined,
  next: TextLine | undefined,
  edges: ReadonlyMap<TextLine, number>,
): boolean {
  const last = lines.at(-1);
  if (last === undefined || line === undefined || next === undefined || lines.length > headLinesMax) return false;
  const { face } = last;
  if (face === null || line.face === face || last.isMono || lines.some((other) => other.face !== face)) return false;
  // A phrase that continues after a line end in the other face begins with a small letter.
  if (/^\P{L}*\p{Ll}/u.test(line.words[0]?.text ?? '')) return false;
  return (
    follows(last, line) &&
    follows(line, next) &&
    endsEarly(last, line, edges.get(last) ?? Infinity) &&
    // A line that the author ended is a value, as beside a label or in an address.
    !endsEarly(line, next, edges.get(line) ?? Infinity)
  );
}

function follows(before: TextLine, line: TextLine): boolean {
  return isSameSize(before, line) && line.baseline - before.baseline <= pitchMax * line.size;
}
