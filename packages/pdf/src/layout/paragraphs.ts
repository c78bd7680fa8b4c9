/** Groups the lines of a region into paragraphs. */
import type { PageStructure } from '../page-model.js';
import { inlineMarkdown, plainText } from '../markdown/inline-text.js';
import type { LineJoiner } from '../markdown/join-lines.js';
import { boundsOf } from '../words/rows.js';
import { headingLettersMax, type TextBlock } from './block.js';
import { startsClause } from './clause-mark.js';
import { codeLines } from './code-lines.js';
import { areHead } from './face-heads.js';
import { startsItem } from './list-mark.js';
import { type Piece, piecesOf } from './page-pieces.js';
import { taggedItems } from './tagged-items.js';
import type { TextLine } from './text-lines.js';
import { endsEarly, wrapEdges } from './wrap-edges.js';

/** The sizes of faces in one paragraph differ by less than this. */
const sameSizeMax = 0.06;
/** The distance of paragraphs is larger than that of lines, by this factor. */
const pitchFactor = 1.25;
/** The spacing if no other lines can be compared. Single spacing is 1.2, one and a half is 1.8. */
const pitchMax = 1.7;
/** A first line is indented by at least this many sizes. */
const indentMin = 0.8;
/** Lines below each other begin this close, in points. */
const sameLeftMax = 2;

export interface ParagraphContext {
  structure: PageStructure | null;
  joiner: LineJoiner;
  /** Whether text in a face for code is code. A document that is written in such a face is no code. */
  readsCode: boolean;
  /** Where the text stands. Gets the pieces of each paragraph. */
  pieces: Piece[];
  /** The content of the items of lists that have begun on the page. */
  begunItems: Set<number>;
}

/** Whether text of another kind is above or below the lines. */
export interface Neighbours {
  above: boolean;
  below: boolean;
  /** The width of the region, with its tables. */
  width: number;
}

/** The gap to a table, in multiples of the size. It is not compared with the gaps between lines. */
const gapToTable = 1.5;

export function paragraphsOf(
  lines: readonly TextLine[],
  context: ParagraphContext,
  { above, below, width }: Neighbours,
): TextBlock[] {
  if (lines.length === 0) return [];
  const region = { width, left: boundsOf(lines).left };
  const edges = wrapEdges(lines);
  const pitch = usualPitch(lines);
  const items = taggedItems(lines, context.structure, context.begunItems);
  const groups: TextLine[][] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const group = groups.at(-1);
    const isNew =
      before === undefined ||
      group === undefined ||
      items.has(line) ||
      startsParagraph(before, line, group, pitch, edges, context) ||
      areHead(group, line, lines[index + 1], edges);
    if (isNew) groups.push([line]);
    else group.push(line);
  }
  const blocks = groups.map((group, index) =>
    blockOf(group, groups[index - 1]?.at(-1), groups[index + 1] ?? [], region, edges, context),
  );
  for (const [index, block] of blocks.entries())
    if (groups[index]?.some((line) => items.has(line)) === true) addBullet(block);
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (above && first !== undefined) first.gapAbove = gapToTable;
  if (below && last !== undefined) last.gapBelow = gapToTable;
  return blocks;
}

/** Puts the bullet before an item that a browser has drawn as a shape. */
function addBullet(block: TextBlock): void {
  block.markdown = `• ${block.markdown}`;
  if (block.plain !== '') block.plain = `• ${block.plain}`;
}

/** The distance of most base lines, in multiples of the size. */
function usualPitch(lines: readonly TextLine[]): number {
  const counts = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (before === undefined || Math.abs(before.size - line.size) > line.size * sameSizeMax) continue;
    const pitch = Math.round(((line.baseline - before.baseline) / line.size) * 20) / 20;
    if (pitch > 0.8 && pitch < 3.5) counts.set(pitch, (counts.get(pitch) ?? 0) + 1);
  }
  let [usual, most] = [0, 2];
  for (const [pitch, count] of counts)
    if (count > most || (count === most && pitch < usual)) [usual, most] = [pitch, count];
  return usual === 0 ? pitchMax / pitchFactor : usual;
}

function startsParagraph(
  before: TextLine,
  line: TextLine,
  group: readonly TextLine[],
  pitch: number,
  edges: ReadonlyMap<TextLine, number>,
  context: ParagraphContext,
): boolean {
  const larger = Math.max(before.size, line.size);
  if (Math.abs(before.size - line.size) > larger * sameSizeMax) return true;
  if (before.isEntry && line.isEntry) return false;
  if (before.isBold !== line.isBold || before.isMono !== line.isMono) return true;
  if (levelOf(before, context) !== levelOf(line, context)) return true;
  if (line.baseline - before.baseline > Math.max(pitch * pitchFactor, 1) * larger) return true;
  if (line.isMono && context.readsCode) return false;
  if (startsItem(line.words)) return true;
  const [first] = group;
  if (first !== undefined && startsClause(first, before, line)) return true;
  const isIndented = line.left - before.left > indentMin * line.size;
  const isCentered = Math.abs(line.left + line.right - before.left - before.right) < line.size;
  if (isIndented && !isCentered && line.left - before.left < 6 * line.size && first !== undefined) {
    // Only the first line of a paragraph is indented. In a hanging paragraph, all other lines are indented alike.
    if (group.length > 1 || endsSentence(before)) return group.length > 1 || !startsItem(first.words);
  }
  // The further lines of a hanging paragraph are indented, and its first one is not.
  const isOutdented = before.left - line.left > indentMin * line.size && line.left < (first?.left ?? 0) + 1;
  const isEnd = (isOutdented && !isCentered) || endsEarly(before, line, edges.get(before) ?? Infinity);
  return isEnd && endsSentence(before);
}

function endsSentence(line: TextLine): boolean {
  return /[.!?:;。！？]["'”’)\]]*$/u.test(line.words.at(-1)?.text ?? '');
}

function levelOf(line: TextLine, { structure }: ParagraphContext): number | null {
  const [word] = line.words;
  return word === undefined ? null : (structure?.headings.get(word.contentId) ?? null);
}

function blockOf(
  lines: readonly TextLine[],
  above: TextLine | undefined,
  [below, second]: readonly TextLine[],
  region: { left: number; width: number },
  edges: ReadonlyMap<TextLine, number>,
  context: ParagraphContext,
): TextBlock {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a block has at least one line');
  const bounds = boundsOf(lines);
  for (const { words } of lines) context.pieces.push(...piecesOf(words));
  const letters = lines.reduce((sum, { words }) => sum + words.reduce((count, { text }) => count + text.length, 0), 0);
  const isCode = context.readsCode && lines.every(({ isMono }) => isMono);
  const markdown = context.joiner.join(
    lines.map((line, index) => {
      const next = lines[index + 1];
      return {
        text: inlineMarkdown(line.words),
        isBroken: next !== undefined && isBroken(line, next, edges.get(line) ?? Infinity),
      };
    }),
  );
  return {
    kind: 'text',
    ...bounds,
    markdown,
    plain:
      letters > headingLettersMax
        ? ''
        : context.joiner.join(lines.map(({ words }) => ({ text: plainText(words), isBroken: false }))),
    letters,
    lines: lines.length,
    size: first.size,
    isBold: lines.every(({ isBold }) => isBold),
    isItalic: lines.every(({ isItalic }) => isItalic),
    code: isCode ? codeLines(lines, region.left) : null,
    gapAbove: above === undefined ? Infinity : (first.baseline - above.baseline) / first.size,
    gapBelow: below === undefined ? Infinity : (below.baseline - last.baseline) / last.size,
    widthShare: (bounds.right - bounds.left) / Math.max(1, region.width),
    isEntry: first.isEntry,
    headsText: areHead(lines, below, second, edges),
    taggedLevel: levelOf(first, context),
  };
}

/** Whether the author has ended a line. The further lines of a text behind a label begin below its first one. */
function isBroken(line: TextLine, next: TextLine, edge: number): boolean {
  if (line.isEntry || next.spreadLeft !== null || endsEarly(line, next, edge)) return true;
  return line.spreadLeft !== null && Math.abs(line.spreadLeft - next.left) > sameLeftMax;
}
