/** In most models a token is about four letters of a Latin script. */
const LETTERS_PER_TOKEN = 4;
/** Characters of scripts without spaces, and symbols, are about a token each. */
const DENSE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/** The scripts above come later in Unicode. Most texts have none of them. */
const NONE_DENSE = /^[\0-\u0dff\u2000-\u2bff]*$/;

/** How many tokens of a chat model a text has. Models differ, so a budget in these units has to leave room. */
export function estimateTokens(text: string): number {
  if (NONE_DENSE.test(text)) return Math.ceil(text.length / LETTERS_PER_TOKEN);
  const dense = text.match(DENSE)?.length ?? 0;
  return dense + Math.ceil((text.length - dense) / LETTERS_PER_TOKEN);
}
