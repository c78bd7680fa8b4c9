// Scripts without spaces between words are counted by character, as in word processors.
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’.,](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+)*/gu;
// oxlint-disable-next-line no-control-regex -- the range starts at zero on purpose
const beyondLatin = /[^\u0000-\u024F\u2010-\u2027\u2030-\u205E\u20A0-\u20BF\u2190-\u245F\u2500-\u2775]/;

const OTHER = 0;
const LETTER = 1;
/** A character that belongs to the word if letters follow. */
const JOINER = 2;
const APOSTROPHE = 0x2019;
const latinKinds = Uint8Array.from({ length: 0x250 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z0-9\u00C0-\u024F]/.test(character)) return LETTER;
  return /['.,]/.test(character) ? JOINER : OTHER;
});

/** Counts the words of a text in linear time. Marks of markdown are not words. */
export function countWords(text: string): number {
  if (!beyondLatin.test(text)) return countLatinWords(text);
  word.lastIndex = 0;
  let count = 0;
  while (word.exec(text) !== null) count++;
  return count;
}

/** A loop over characters is much faster than a pattern. */
function countLatinWords(text: string): number {
  let count = 0;
  /** The state after the previous character: outside of words, in a word, or behind a joiner. */
  let state = OTHER;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < latinKinds.length ? latinKinds[code] : code === APOSTROPHE ? JOINER : OTHER;
    if (kind === LETTER) {
      if (state === OTHER) count++;
      state = LETTER;
    } else {
      state = kind === JOINER && state === LETTER ? JOINER : OTHER;
    }
  }
  return count;
}
