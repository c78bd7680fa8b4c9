// Splits the markdown of an excerpt into sentences, in any script.

/** A longer sentence is divided, so that a table or a text without punctuation can be quoted. */
const SENTENCE_CHARACTERS_MAX = 300;
/** Headings name a subject and make no statement about it. Rulers and the lines under table headers have no words. */
const NO_SENTENCE = /^\s*(?:#{1,6}\s.*|[\s|:=*_-]*)$/;
/** The markup before the text of a line: quotes, list items, table cells. */
const LINE_START = /^\s*(?:>\s*)*(?:[-*+•]\s+|\d{1,3}[.)]\s+|\|\s*)?/;
const NEXT_BLOCK = /^\s*(?:>|[-*+•]\s|\d{1,3}[.)]\s|\||#{1,6}\s|$)/;
const TABLE_ROW = /^\s*\|/;
const MARKUP = /\*\*|__|`|!?\[([^\]]*)\]\([^)]*\)/g;
const WORD_OR_CJK = /[\p{L}\p{N}]/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** Sentences in order, as plain text on one line. */
export function sentencesOf(text: string): string[] {
  return blocksOf(text).flatMap((block) =>
    [...segmenter.segment(block)]
      .flatMap(({ segment }) => divide(segment.trim()))
      .filter((one) => WORD_OR_CJK.test(one)),
  );
}

/** Paragraphs, list items and table rows. Lines of a paragraph are joined. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (NO_SENTENCE.test(line)) {
      isOpen = false;
      continue;
    }
    const plain = plainTextOf(line);
    if (isOpen && !NEXT_BLOCK.test(line)) blocks.push(`${blocks.pop() ?? ''} ${plain}`);
    else blocks.push(plain);
    isOpen = !TABLE_ROW.test(line);
  }
  return blocks;
}

function plainTextOf(line: string): string {
  const text = line.replace(LINE_START, '').replace(MARKUP, (_markup, label: string | undefined) => label ?? '');
  const cells = TABLE_ROW.test(line) ? text.replace(/\s*\|\s*$/, '').replace(/\s*\|\s*/g, ' – ') : text;
  return cells.replace(/\s+/g, ' ').trim();
}

function divide(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > SENTENCE_CHARACTERS_MAX) {
    const head = rest.slice(0, SENTENCE_CHARACTERS_MAX);
    const space = head.lastIndexOf(' ');
    const surrogate = /[\uD800-\uDBFF]$/.test(head) ? 1 : 0;
    const end = space > SENTENCE_CHARACTERS_MAX / 2 ? space : SENTENCE_CHARACTERS_MAX - surrogate;
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return rest === '' ? parts : [...parts, rest];
}
