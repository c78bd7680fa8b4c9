import { cutWindows } from './cut-windows.js';
import type { Piece } from './piece.js';

/** As much as fits, wherever that ends. */
export function fixedPieces(text: string, size: number, overlap: number): Generator<Piece> {
  return cutWindows(text, 0, text.length, size, overlap, (_text, _start, _lowest, limit) => limit);
}
