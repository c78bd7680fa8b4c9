// Scripts that are written without spaces count by character, as word processors do.
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’.,](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+)*/gu;
const latinWord = /[A-Za-z0-9\u00C0-\u024F]+(?:['’.,][A-Za-z0-9\u00C0-\u024F]+)*/g;
// oxlint-disable-next-line no-control-regex -- the range starts at zero on purpose
const beyondLatin = /[^\u0000-\u024F\u2010-\u2027\u2030-\u205E\u20A0-\u20BF]/;

/** Words of a text in linear time; marks of markdown are not words. */
export function countWords(text: string): number {
  const pattern = beyondLatin.test(text) ? word : latinWord;
  pattern.lastIndex = 0;
  let count = 0;
  while (pattern.exec(text) !== null) count++;
  return count;
}
