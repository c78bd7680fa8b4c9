/** Writes the characters of a formula as LaTeX. */
import { alphabetLetter } from './alphabets.js';
import { sequence } from './latex.js';
import { functionNames, hasCommand, symbol } from './symbols.js';

export interface TextStyle {
  /** Ordinary text, such as "if" between two cases. */
  isText: boolean;
  isUpright: boolean;
  /** The command of a mathematical alphabet, or null. */
  alphabet: string | null;
  /** Whether `&` and `#` align the lines of equations and number them. */
  isAligned: boolean;
}

export const plainStyle: TextStyle = { isText: false, isUpright: false, alphabet: null, isAligned: false };

/** A letter of a word. Symbols, Greek letters and letters of mathematical alphabets are excluded. */
const letter = String.raw`(?:(?![\u0370-\u03ff\u2070-\u214f\u{1d400}-\u{1d7ff}])[\p{L}\p{M}])`;
const pieces = new RegExp(String.raw` ?${letter}{2,}(?: ${letter}{2,})* ?|[0-9]+|[^]`, 'gu');
const wordBeginning = new RegExp(`^ ?${letter}{2}`, 'u');
/** Words of two letters that are not a product of two variables. */
const shortWords = new Set('as at by if in is of on or to we'.split(' '));
/** Invisible signs of functions and products, and empty places. */
const unseen = /[\u2061-\u2064\u200b\u2060\ufeff\u2b1a]/g;
const superscripts = /^[\u00b2\u00b3\u00b9\u2070-\u207f]$/;
const subscripts = /^[\u2080-\u209c]$/;
const typedPower = /(?<=[\p{L}\p{Nd})\]])\^([\p{L}\p{Nd}]+)/gu;

export function formulaText(text: string, style: TextStyle): string {
  const spaced = text.replace(unseen, '').replace(/[^\S\u2003\u2009]+/g, ' ');
  if (style.isText && /[\p{L}\p{M} ]/u.test(spaced)) return literalText(spaced);
  const parts: string[] = [];
  let at = 0;
  for (const match of spaced.matchAll(typedPower)) {
    parts.push(`${mathText(spaced.slice(at, match.index), style)}^{${mathText(match[1] ?? '', style)}}`);
    at = match.index + match[0].length;
  }
  return sequence([...parts, mathText(spaced.slice(at), style)]);
}

function mathText(text: string, style: TextStyle): string {
  let latex = '';
  let before = '';
  for (const [piece] of text.matchAll(pieces)) {
    const part = pieceText(piece, style);
    const isScript = part.startsWith('{}') && /[A-Za-z0-9)]$/.test(before);
    latex += isScript ? part.slice(2) : part;
    before = part;
  }
  return latex;
}

function pieceText(piece: string, style: TextStyle): string {
  if (wordBeginning.test(piece)) {
    const words = piece.trim().split(' ');
    if (piece.includes(' ') && isProse(words)) return literalText(piece);
    return words.map((word) => wordText(word, style)).join(' ');
  }
  if (/^[A-Za-z]$/.test(piece)) return inAlphabet(piece, style);
  return characterText(piece, style);
}

function isProse(words: readonly string[]): boolean {
  if (words.some((word) => functionNames.has(word))) return false;
  return words.some((word) => word.length > 2 || shortWords.has(word));
}

function wordText(word: string, style: TextStyle): string {
  if (functionNames.has(word)) return `\\${word} `;
  return /^[A-Za-z]+$/.test(word) ? inAlphabet(word, style) : literalText(word);
}

function inAlphabet(letters: string, { alphabet, isUpright }: TextStyle): string {
  const command = alphabet ?? (isUpright ? '\\mathrm' : null);
  return command === null ? letters : `${command}{${letters}}`;
}

function characterText(character: string, style: TextStyle): string {
  if (style.isAligned && character === '&') return '& ';
  if (style.isAligned && character === '#') return '\\quad ';
  if (hasCommand(character)) {
    const command = symbol(character);
    return style.alphabet === '\\mathbf' && /\p{Script=Greek}/u.test(character) ? `\\boldsymbol{${command}}` : command;
  }
  const found = alphabetLetter(character);
  if (found !== null) {
    const plain = symbol(found.letter);
    return found.command === null ? plain : `${found.command}{${plain}}`;
  }
  if (superscripts.test(character)) return `{}^{${mathText(character.normalize('NFKC'), plainStyle)}}`;
  if (subscripts.test(character)) return `{}_{${mathText(character.normalize('NFKC'), plainStyle)}}`;
  if (/^\d+$/.test(character) && style.alphabet !== null) return `${style.alphabet}{${character}}`;
  // Mathematical fonts have no letters of other scripts.
  return /[^\0-\x7f]/.test(character) && /[\p{L}\p{M}]/u.test(character) ? literalText(character) : character;
}

/** Literal text. A character that `\text` cannot hold is written outside of it. */
export function literalText(text: string): string {
  const parts = text.split(/([\\^~<>`|*])/);
  return parts
    .map((part, at) => {
      if (part === '') return '';
      return at % 2 === 1 ? symbol(part) : `\\text{${part.replace(/[{}$%&#_]/g, '\\$&')}}`;
    })
    .join('');
}
