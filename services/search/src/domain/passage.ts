// What is indexed of one text: how often it holds each term, and its length.
import { tokensOfText } from './analyzer.js';

export interface Passage {
  /** How often the text holds each term. */
  readonly repeats: ReadonlyMap<string, number>;
  /** Terms in the text, repeats counted; 0 when there is nothing to find in it. */
  readonly length: number;
}

export function chunkPassage(text: string): Passage {
  const repeats = new Map<string, number>();
  let length = 0;
  for (const { term } of tokensOfText(text)) {
    repeats.set(term, (repeats.get(term) ?? 0) + 1);
    length++;
  }
  return { repeats, length };
}

/** The passage of a file's title and name. A word counts once, also when it is in both. */
export function titlePassage(title: string | null, filename: string): Passage {
  const repeats = new Map<string, number>();
  for (const { term } of tokensOfText(`${title ?? ''}\n${filename}`)) repeats.set(term, 1);
  return { repeats, length: repeats.size };
}
