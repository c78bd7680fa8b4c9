import { cutWindows } from './cut-windows.js';
import { isSpace, type Piece } from './piece.js';
import { isSentenceEnd } from './sentence-end.js';

/** A boundary that would leave less than this share of the chunk is ignored in favour of a weaker, later one. */
const fillShareMin = 0.4;

/** Ends each chunk at the strongest boundary near its end: heading, paragraph, line, sentence, word. */
export function recursivePieces(text: string, size: number, overlap: number): Generator<Piece> {
  return cutWindows(text, 0, text.length, size, overlap, findBoundary);
}

/** Walks back from the limit once, collects the last boundary of each kind, and returns the strongest. */
export function findBoundary(text: string, start: number, lowest: number, limit: number): number {
  const filled = Math.max(lowest, start + Math.floor((limit - start) * fillShareMin));
  let line = -1;
  let paragraph = -1;
  let sentence = -1;
  let word = -1;
  for (let at = limit; at >= lowest; at--) {
    if (at < filled && word !== -1) break;
    const before = text.charCodeAt(at - 1);
    if (word === -1 && (isSpace(before) || isSpace(text.charCodeAt(at)))) word = at;
    if (at < filled) continue;
    if (before === 0x0a) {
      if (text.charCodeAt(at) === 0x23) return at;
      if (paragraph === -1 && text.charCodeAt(at - 2) === 0x0a) paragraph = at;
      if (line === -1) line = at;
    } else if (sentence === -1 && isSentenceEnd(text, at)) sentence = at;
  }
  return [paragraph, line, sentence, word].find((found) => found !== -1) ?? limit;
}
