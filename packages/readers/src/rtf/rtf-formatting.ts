/** Control words that change the state of the text after them, and control words that represent a character. */
import type { RtfState } from './rtf-document.js';

const listLevelMax = 8;
const skipMax = 100;
/** Words that represent a character. */
const characters: Readonly<Record<string, string>> = {
  bullet: '•',
  emdash: '—',
  emspace: ' ',
  endash: '–',
  enspace: ' ',
  ldblquote: '“',
  lquote: '‘',
  nbhyphen: '-',
  nbsp: ' ',
  rdblquote: '”',
  rquote: '’',
  tab: ' ',
};

/** Null if the word represents no character. */
export function characterOf(name: string): string | null {
  return Object.hasOwn(characters, name) ? (characters[name] ?? null) : null;
}

/** Null if the word changes no state. `fonts` holds the encodings of fonts. */
export function stateAfter(
  state: RtfState,
  name: string,
  value: number | null,
  fonts: ReadonlyMap<number, string>,
): RtfState | null {
  const isOn = value !== 0;
  switch (name) {
    case 'f':
      return { ...state, encoding: fonts.get(value ?? 0) ?? '' };
    case 'b':
      return { ...state, bold: isOn };
    case 'i':
      return { ...state, italic: isOn };
    case 'strike':
    case 'striked':
      return { ...state, struck: isOn };
    case 'super':
    case 'up':
      return { ...state, raised: isOn };
    case 'nosupersub':
    case 'sub':
    case 'dn':
      return { ...state, raised: false };
    case 'v':
    case 'deleted':
      return { ...state, hidden: isOn };
    case 'plain':
      return { ...state, bold: false, italic: false, struck: false, raised: false, hidden: false };
    case 'uc':
      return { ...state, skipAfterUnicode: Math.min(Math.max(value ?? 1, 0), skipMax) };
    case 'pard':
      return { ...state, inTable: false, list: null, listLevel: 0, outlineLevel: null, style: null };
    case 'intbl':
      return { ...state, inTable: true };
    case 'ls':
      return { ...state, list: value };
    case 'ilvl':
      return { ...state, listLevel: Math.min(Math.max(value ?? 0, 0), listLevelMax) };
    case 'outlinelevel':
      return { ...state, outlineLevel: value };
    case 's':
      return { ...state, style: value };
    default:
      return null;
  }
}
