import { afterPair, beforePair, isSpace, type Piece, skipSpace, trimEnd } from './piece.js';

/** Finds the best end, from `lowest` to `limit`, for a chunk that begins at `start`. */
export type FindCut = (text: string, start: number, lowest: number, limit: number) => number;

/** Each chunk adds at least this share of the new text that it could hold. Without it, the work would not be linear. */
const progressShareMin = 0.3;

/**
 * Cuts `text[from, end)` into pieces. Each piece ends where `findCut` says. The next one begins at a word, up to
 * `overlap` characters earlier. Pieces are trimmed, and each begins and ends after the beginning and end of the previous one.
 */
export function* cutWindows(
  text: string,
  from: number,
  end: number,
  size: number,
  overlap: number,
  findCut: FindCut,
): Generator<Piece> {
  let start = skipSpace(text, from, end);
  let reached = start;
  while (start < end) {
    const rest = end - start <= size;
    const limit = rest ? end : beforePair(text, start + size);
    const lowest = Math.min(limit, Math.max(start, reached) + 1 + Math.floor((limit - reached) * progressShareMin));
    const cut = rest ? end : findCut(text, start, lowest, limit);
    const stop = trimEnd(text, start, cut);
    const next = skipSpace(text, Math.max(cut, reached), end);
    if (stop <= reached) {
      start = next;
      continue;
    }
    yield { start, end: stop };
    reached = stop;
    if (next >= end) return;
    start = overlapStart(text, reached, overlap, start, next);
  }
}

/** The first word that begins within the last `overlap` characters before `reached`. */
function overlapStart(text: string, reached: number, overlap: number, previousStart: number, next: number): number {
  if (overlap === 0) return next;
  const earliest = afterPair(text, Math.max(reached - overlap, previousStart + 1));
  for (let at = earliest; at < reached; at++) {
    if (!isSpace(text.charCodeAt(at)) && isSpace(text.charCodeAt(at - 1))) return at;
  }
  // No word begins there: a script without spaces, or one long token.
  return earliest < reached ? skipSpace(text, earliest, next) : next;
}
