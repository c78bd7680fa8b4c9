// Splits the markdown of an excerpt into sentences, in any script. Markup is masked by invisible characters, so that offsets in the
// masked text are offsets in the excerpt.

import { segmentsOf } from './sentence-segments.js';

/** A longer sentence is divided, so that a table or a text without punctuation can be quoted. */
const SENTENCE_CHARACTERS_MAX = 300;
/** Rulers and the lines under table headers. */
const NO_WORDS = /^[\s|:=*_-]*$/;
const HEADING = /^\s*#{1,6}\s/;
/** The markup before the text of a line: quotes, headings, list items, table cells. */
const LINE_START = /^\s*(?:>\s*)*(?:#{1,6}\s+|[-*+•]\s+|\d{1,3}[.)]\s+|\|\s*)?/;
const NEXT_BLOCK = /^\s*(?:>|[-*+•]\s|\d{1,3}[.)]\s|\||#{1,6}\s|$)/;
const TABLE_ROW = /^\s*\|/;
const MARKUP = /\*\*|__|`|!?\[([^\]]*)\]\([^)]*\)/g;
const WORD_OR_CJK = /[\p{L}\p{N}]/u;

/** Word joiner. The rules for sentence boundaries ignore format characters (Unicode Annex 29). */
const MASK = '\u2060';
const MASKS = /\u2060/g;
/** Function application, another format character. */
const CELL_BORDER = '\u2061';
const CELL_BORDERS = /\s*\u2061\s*/g;
const OUTER_INVISIBLE = /^[\s\u2060\u2061]+|[\s\u2060\u2061]+$/g;

export interface Sentence {
  /** Plain text on one line. */
  readonly text: string;
  /** Offsets in the text that contains the sentence, in UTF-16 units. `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The heading above it in the text, or ''. */
  readonly heading: string;
}

/** The text of a paragraph, list item or table row, with its markup masked. */
interface Block {
  masked: string;
  start: number;
  heading: string;
}

export function sentencesOf(text: string): Sentence[] {
  return blocksOf(text).flatMap((block) =>
    segmentsOf(block.masked)
      .flatMap((masked) => {
        const { start, heading } = block;
        block.start += masked.length;
        return divide({ masked, start, heading });
      })
      .map(sentenceOf)
      .filter((one) => WORD_OR_CJK.test(one.text)),
  );
}

/** Lines of a paragraph are joined. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  let start = 0;
  let heading = '';
  for (const line of text.split('\n')) {
    const masked = maskMarkup(line);
    if (NO_WORDS.test(line) || namesSubject(line)) open = null;
    else if (open && !NEXT_BLOCK.test(line)) open.masked += ` ${masked}`;
    else blocks.push((open = { masked, start, heading }));
    if (HEADING.test(line)) heading = textOf(masked);
    if (TABLE_ROW.test(line) || HEADING.test(line)) open = null;
    start += line.length + 1;
  }
  return blocks;
}

/** Whether a line is a heading that makes no statement. One with a value does, as in `Total: 5`. */
function namesSubject(line: string): boolean {
  const colon = line.indexOf(': ');
  return HEADING.test(line) && (colon === -1 || !/\d/.test(line.slice(colon)));
}

const maskOf = (text: string) => MASK.repeat(text.length);

/** The result has the length of the line. */
function maskMarkup(line: string): string {
  const text = line.replace(LINE_START, maskOf).replace(MARKUP, (markup: string, label: string | undefined) => {
    if (label === undefined) return maskOf(markup);
    const before = markup.indexOf('[') + 1;
    return MASK.repeat(before) + label + MASK.repeat(markup.length - before - label.length);
  });
  return TABLE_ROW.test(line) ? text.replaceAll('|', CELL_BORDER) : text;
}

function divide({ masked, start, heading }: Block): Block[] {
  const parts: Block[] = [];
  let from = 0;
  while (masked.length - from > SENTENCE_CHARACTERS_MAX) {
    const head = masked.slice(from, from + SENTENCE_CHARACTERS_MAX);
    const space = head.lastIndexOf(' ');
    const surrogate = /[\uD800-\uDBFF]$/.test(head) ? 1 : 0;
    const length = space > SENTENCE_CHARACTERS_MAX / 2 ? space : SENTENCE_CHARACTERS_MAX - surrogate;
    parts.push({ masked: masked.slice(from, from + length), start: start + from, heading });
    from += length;
  }
  return [...parts, { masked: masked.slice(from), start: start + from, heading }];
}

function sentenceOf({ masked, start, heading }: Block): Sentence {
  const [before = ''] = /^[\s\u2060\u2061]*/.exec(masked) ?? [];
  const from = start + before.length;
  return { text: textOf(masked), start: from, end: from + trimmed(masked).length, heading };
}

const trimmed = (masked: string) => masked.replace(OUTER_INVISIBLE, '');

const textOf = (masked: string) => trimmed(masked).replace(MASKS, '').replace(CELL_BORDERS, ' – ').replace(/\s+/g, ' ');
