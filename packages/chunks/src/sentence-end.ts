import { isSpace } from './piece.js';

const marks = new Set(Array.from('.!?…', (mark) => mark.charCodeAt(0)));
/** Punctuation of scripts that write no space between sentences. */
const wideMarks = new Set(Array.from('。！？｡؟।॥', (mark) => mark.charCodeAt(0)));
const closers = new Set(Array.from('"\'”’»)]*_', (mark) => mark.charCodeAt(0)));
const closersMax = 4;
const abbreviation =
  /^(?:\p{L}|(?:\p{L}\.)+\p{L}|mr|mrs|ms|dr|prof|st|vs|etc|fig|no|vol|al|inc|ltd|jr|sr|approx|bzw|usw|z\.b|nr)$/iu;

/** Whether a sentence ends right before `at`: punctuation, optional closing quotes, white space. */
export function isSentenceEnd(text: string, at: number): boolean {
  if (at <= 0) return false;
  let last = at - 1;
  for (let skipped = 0; skipped < closersMax && last > 0 && closers.has(text.charCodeAt(last)); skipped++) last--;
  const mark = text.charCodeAt(last);
  if (wideMarks.has(mark)) return true;
  if (!marks.has(mark) || (at < text.length && !isSpace(text.charCodeAt(at)))) return false;
  return !(mark === 0x2e && isAbbreviation(text, last));
}

/** Whether a text ends with an abbreviation and its full stop. */
export function endsWithAbbreviation(text: string): boolean {
  const dot = text.trimEnd().length - 1;
  return text[dot] === '.' && abbreviation.test(wordBefore(text, dot));
}

/** A full stop after one letter, a title or a leading number ends no sentence: `e.g.`, `J.`, `Dr.`, `3.` */
function isAbbreviation(text: string, dot: number): boolean {
  const word = wordBefore(text, dot);
  return abbreviation.test(word) || /^\d{1,3}$/.test(word);
}

function wordBefore(text: string, dot: number): string {
  return /(?:^|[\s\u2060("'[。！？｡؟।॥])([\p{L}\p{N}.]{1,6})$/u.exec(text.slice(Math.max(0, dot - 8), dot))?.[1] ?? '';
}
