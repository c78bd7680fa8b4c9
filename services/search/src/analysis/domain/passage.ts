// A passage is the unit of the index: how often a text contains each term, and how many terms it has.
import { termsOfText } from './analyzer.js';

export interface Passage {
  /** How often the text contains each term. */
  readonly repeats: ReadonlyMap<string, number>;
  /** Terms in the text, repeats counted. 0 when the text cannot be found. */
  readonly length: number;
}

export function chunkPassage(text: string): Passage {
  const repeats = new Map<string, number>();
  let length = 0;
  for (const term of termsOfText(text)) {
    repeats.set(term, (repeats.get(term) ?? 0) + 1);
    length++;
  }
  return { repeats, length };
}

export const titleText = (title: string | null, filename: string) => `${title ?? ''}\n${filename}`;

/** The passage of a file's title and filename. A term counts once, even if both contain it. */
export function titlePassage(title: string | null, filename: string): Passage {
  const repeats = new Map<string, number>();
  for (const term of termsOfText(titleText(title, filename))) repeats.set(term, 1);
  return { repeats, length: repeats.size };
}
