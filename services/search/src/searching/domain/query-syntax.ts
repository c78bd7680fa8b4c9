// Divides a query into what is wanted and what is excluded: "quoted phrases", -words and -"phrases". Each character is read a bounded
// number of times, so hostile queries cost no more than others.
//
// - Any two of the quotes below enclose a phrase. A quote after a digit opens no phrase: it is an inch or a second (`19" rack`). A quote without
//   a second one is ordinary punctuation.
// - A minus excludes at the start or after white space, directly before a letter, a digit or a phrase. So `state-of-the-art`, `a - b` and
//   `--x` exclude nothing. It extends to the next white space or quote.

interface QueryParts {
  /** The query without its exclusions. */
  wanted: string;
  phrases: string[];
  excluded: string[];
}

const QUOTE = /["“”„‟«»＂]/;
export const QUOTES = new RegExp(QUOTE, 'g');
const WHITE_SPACE = /\s/;
const DIGIT = /\p{Nd}/u;
const LETTER_OR_DIGIT = /^[\p{L}\p{N}]/u;
/** The longest query, in words besides phrases and exclusions, that is read as an expression. A longer query is a pasted text. */
const PLAIN_WORDS_MAX = 32;

interface Part {
  kind: 'phrase' | 'excluded';
  /**
   * `start` is where the part begins, including its minus and quote. `textStart` is where its words begin. `end` is after its closing
   * quote.
   */
  start: number;
  textStart: number;
  textEnd: number;
  end: number;
}

/** A text of more than 32 words, besides phrases and exclusions, is wanted as it is: its quotes and minuses are punctuation. */
export function readQuery(query: string): QueryParts {
  const parts = [...partsOf(query)];
  if (parts.length === 0) return { wanted: query, phrases: [], excluded: [] };
  if (wordsIn(without(query, parts)) > PLAIN_WORDS_MAX) return { wanted: query, phrases: [], excluded: [] };
  const textsOf = (kind: Part['kind']) =>
    parts.filter((part) => part.kind === kind).map(({ textStart, textEnd }) => query.slice(textStart, textEnd));
  const excluded = parts.filter(({ kind }) => kind === 'excluded');
  return { wanted: without(query, excluded), phrases: textsOf('phrase'), excluded: textsOf('excluded') };
}

/** The same words without syntax, for a text that is not meant as an expression. */
export const withoutSyntax = (text: string): string =>
  text.replace(new RegExp(QUOTE, 'g'), ' ').replace(/(^|\s)-+/g, '$1');

function* partsOf(query: string): Generator<Part> {
  const quotes = quotesIn(query);
  let nextQuote = 0;
  for (let at = 0; at < query.length;) {
    while (nextQuote < quotes.length && (quotes[nextQuote] ?? 0) < at) nextQuote++;
    const part = partAt(query, at, quotes[nextQuote], quotes[nextQuote + 1]);
    if (part) yield part;
    at = part?.end ?? at + 1;
  }
}

/** `quote` and `closing` are the next two quotes, if there are any. */
function partAt(query: string, at: number, quote: number | undefined, closing: number | undefined): Part | null {
  const phrase = (kind: Part['kind'], open: number): Part | null =>
    open === quote && closing !== undefined && !DIGIT.test(query.charAt(open - 1))
      ? { kind, start: at, textStart: open + 1, textEnd: closing, end: closing + 1 }
      : null;
  if (at === quote) return phrase('phrase', at);
  if (query.charAt(at) !== '-' || (at > 0 && !WHITE_SPACE.test(query.charAt(at - 1)))) return null;
  if (at + 1 === quote) return phrase('excluded', at + 1);
  if (!LETTER_OR_DIGIT.test(query.slice(at + 1, at + 3))) return null;
  let end = at + 1;
  while (end < query.length && end !== quote && !WHITE_SPACE.test(query.charAt(end))) end++;
  return { kind: 'excluded', start: at, textStart: at + 1, textEnd: end, end };
}

function quotesIn(query: string): number[] {
  const found: number[] = [];
  for (let at = 0; at < query.length; at++) if (QUOTE.test(query.charAt(at))) found.push(at);
  return found;
}

function without(query: string, parts: readonly Part[]): string {
  let rest = '';
  let done = 0;
  for (const { start, end } of parts) {
    rest += `${query.slice(done, start)} `;
    done = end;
  }
  return rest + query.slice(done);
}

const wordsIn = (text: string) => text.split(WHITE_SPACE).filter((word) => word !== '').length;
