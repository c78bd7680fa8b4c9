// A passage is the unit of the index: how often a text contains each term, and how many terms it has.
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf } from './analyzer.js';
import { indexTerm } from './index-term.js';

export interface Passage {
  /** How often the text contains each term, as the index stores it. */
  readonly repeats: ReadonlyMap<string, number>;
  /** Terms in the text, repeats counted. 0 when the text cannot be found. */
  readonly length: number;
}

export function chunkPassage(text: string, language: TextLanguage): Passage {
  const repeats = new Map<string, number>();
  let length = 0;
  for (const term of analyzerOf(language).termsOfText(text)) {
    repeats.set(term, (repeats.get(term) ?? 0) + 1);
    length++;
  }
  return { repeats: inIndex(repeats, language), length };
}

export const titleText = (title: string | null, filename: string) => `${title ?? ''}\n${filename}`;

/** The passage of a file's title and filename. A term counts once, even if both contain it. */
export function titlePassage(title: string | null, filename: string, language: TextLanguage): Passage {
  const repeats = new Map<string, number>();
  for (const term of analyzerOf(language).termsOfText(titleText(title, filename))) repeats.set(term, 1);
  return { repeats: inIndex(repeats, language), length: repeats.size };
}

/** Marks distinct terms only, since a text repeats most of them. */
function inIndex(repeats: ReadonlyMap<string, number>, language: TextLanguage): ReadonlyMap<string, number> {
  if (language === 'english') return repeats;
  return new Map([...repeats].map(([term, count]) => [indexTerm(language, term), count]));
}
