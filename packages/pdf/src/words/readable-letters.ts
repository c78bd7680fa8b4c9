/** Counts the readable letters of a text layer. Fonts need not state their characters. */
import type { Word } from '../page-model.js';
import type { GlyphRun } from './glyph.js';

/** The number of readable letters on a page, and the number of those outside its upper and lower margin. */
export interface PageLetters {
  all: number;
  inside: number;
}

export const noLetters: PageLetters = { all: 0, inside: 0 };

/** The characters of fonts that do not state any: private, control and unassigned characters, and the replacement character. */
const unreadable = /[\p{Co}\p{Cc}\p{Cn}\uFFFD]/gu;
/** The share of the height of a page, above and below, that holds running heads, page numbers and stamps. */
const marginShare = 0.12;
/** Languages that are written in the Latin script have vowels for more than a third of their letters. Among codes, they are rare. */
const vowelShareMin = 0.22;

export function readableLetters(words: readonly Word[], height: number): PageLetters {
  const found = { all: 0, inside: 0 };
  for (const { text, baseline } of words) {
    const readable = text.length - lostLetters(text);
    found.all += readable;
    if (baseline > height * marginShare && baseline < height * (1 - marginShare)) found.inside += readable;
  }
  return found;
}

/**
 * Whether most of a text cannot be read. Either its characters are no letters, or they are codes of fonts that do not
 * state their characters. In old files of TeX, the codes are the characters. The share of vowels shows it.
 */
export function isGarbledText(words: readonly Word[], runs: readonly GlyphRun[]): boolean {
  let [letters, lost, vowels] = [0, 0, 0];
  for (const { text } of words) {
    letters += text.length;
    lost += lostLetters(text);
  }
  if (lost > letters - lost) return true;
  const glyphs = runs.reduce((sum, run) => sum + run.glyphs, 0);
  const unmapped = runs.reduce((sum, run) => (run.isUnmapped ? sum + run.glyphs : sum), 0);
  if (unmapped <= glyphs / 2) return false;
  for (const { text } of words) vowels += text.match(/[aeiouyà-öø-ÿ]/giu)?.length ?? 0;
  return vowels < letters * vowelShareMin;
}

function lostLetters(text: string): number {
  return text.match(unreadable)?.length ?? 0;
}
