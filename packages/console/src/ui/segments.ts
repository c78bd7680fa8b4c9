// Cuts a text into parts that are shown differently.

interface Segment {
  text: string;
  start: number;
  isMarked: boolean;
}

/** Offsets are UTF-16 units. Ranges that overlap or lie outside of the text are cut. */
export function markedSegments(text: string, ranges: readonly { start: number; end: number }[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  const add = (end: number, isMarked: boolean) => {
    if (end > at) segments.push({ text: text.slice(at, end), start: at, isMarked });
    at = Math.max(at, end);
  };
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    add(Math.min(start, text.length), false);
    add(Math.min(end, text.length), true);
  }
  add(text.length, false);
  return segments;
}

const EXCERPT_CHARACTERS = 420;
const BEFORE_CHARACTERS = 120;

interface Marked {
  text: string;
  ranges: readonly { start: number; end: number }[];
}

/** The part of a passage around its first marked word, from the beginning of a word. */
export function excerptOf({ text, ranges }: Marked): Marked {
  const first = Math.min(...ranges.map(({ start }) => start), text.length);
  if (ranges.length === 0 || first <= BEFORE_CHARACTERS) return { text: clipped(text, 0), ranges };
  const wanted = first - BEFORE_CHARACTERS;
  const gap = text.slice(wanted, first).search(/\s/);
  const from = gap === -1 ? first : wanted + gap + 1;
  const shift = from - 1;
  const moved = ranges.map(({ start, end }) => ({ start: start - shift, end: end - shift }));
  return { text: `…${clipped(text, from)}`, ranges: moved.filter(({ start }) => start > 0) };
}

const clipped = (text: string, from: number): string => {
  const part = text.slice(from, from + EXCERPT_CHARACTERS);
  return from + EXCERPT_CHARACTERS < text.length ? `${part}…` : part;
};

interface AnswerPart {
  text: string;
  start: number;
  /** The number of the source, for `[1]`. */
  citation: number | null;
}

export function answerParts(answer: string): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let at = 0;
  for (const match of answer.matchAll(/\[(\d{1,3})\]/g)) {
    if (match.index > at) parts.push({ text: answer.slice(at, match.index), start: at, citation: null });
    parts.push({ text: match[0], start: match.index, citation: Number(match[1]) });
    at = match.index + match[0].length;
  }
  if (at < answer.length) parts.push({ text: answer.slice(at), start: at, citation: null });
  return parts;
}
