import { cutWindows } from './cut-windows.js';
import type { Piece } from './piece.js';
import { findBoundary } from './recursive-pieces.js';
import { isSentenceEnd } from './sentence-end.js';

/** As many whole sentences as fit. A sentence that is longer than a chunk is cut like any text. */
export function sentencePieces(text: string, size: number, overlap: number): Generator<Piece> {
  return cutWindows(text, 0, text.length, size, overlap, lastSentenceEnd);
}

function lastSentenceEnd(text: string, start: number, lowest: number, limit: number): number {
  for (let at = limit; at >= lowest; at--) {
    const isParagraphEnd = text.charCodeAt(at - 1) === 0x0a && text.charCodeAt(at - 2) === 0x0a;
    if (isParagraphEnd || isSentenceEnd(text, at)) return at;
  }
  return findBoundary(text, start, lowest, limit);
}
