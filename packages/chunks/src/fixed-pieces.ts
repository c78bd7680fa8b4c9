import { cutWindows } from './cut-windows.js';
import type { Piece } from './piece.js';

/** Cuts after `size` characters, also within words. */
export function fixedPieces(text: string, size: number, overlap: number): Generator<Piece> {
  return cutWindows(text, 0, text.length, size, overlap, (_text, _start, _lowest, limit) => limit);
}
