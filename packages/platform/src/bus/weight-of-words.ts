/** Where words have no spaces between them, each pair of characters is looked up. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}\p{M}]+/gu;
/** An ordinary text to search for has no more. */
const WORDS_FREE = 20;
const WORDS_PER_UNIT = 2;
/** A tenant alone has two calls of this weight worked on at a time. */
const WEIGHT_MAX = 128;

/** The weight of a call that looks up each word of a text (heavy-calls.ts). */
export function weightOfWords(text: string): number {
  const words = text.match(WORD)?.length ?? 0;
  return words <= WORDS_FREE ? 0 : Math.min(Math.ceil(words / WORDS_PER_UNIT), WEIGHT_MAX);
}
