/** Divides numbers from their units, because Tesseract often joins them. Between letters, its boxes are too inexact. */
import { isWrittenWithoutSpaces } from '@kiln/pdf/words/scripts';
import type { PixelBox } from './letter-shapes.js';

export interface WordSymbol extends PixelBox {
  text: string;
}

/**
 * Spaces are a quarter of the size wide. Other gaps are up to a sixth, because letters have some space of their own.
 */
const spaceMin = 0.25;
/** The digit 1 is narrower than its place. */
const spaceMinAfterOne = 0.35;

export function splitSymbols(symbols: readonly WordSymbol[], size: number): WordSymbol[][] {
  const words: WordSymbol[][] = [];
  for (const [index, symbol] of symbols.entries()) {
    const before = symbols[index - 1];
    if (before === undefined || isUnitBehind(before, symbol, size)) words.push([symbol]);
    else words.at(-1)?.push(symbol);
  }
  return words;
}

function isUnitBehind(before: WordSymbol, symbol: WordSymbol, size: number): boolean {
  if (!/\p{N}/u.test(before.text) || !/\p{L}/u.test(symbol.text)) return false;
  if (isWrittenWithoutSpaces(symbol.text)) return false;
  return symbol.left - before.right >= size * (before.text === '1' ? spaceMinAfterOne : spaceMin);
}
