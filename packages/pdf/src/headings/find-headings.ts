import { type Block, headingLettersMax, type TextBlock } from '../layout/block.js';
import type { PagePiece } from '../layout/page-pieces.js';
import { headingLevels, type FoundHeading } from './heading-levels.js';
import { headingScore, headingScoreMin } from './heading-score.js';
import type { KnownTitles } from './known-titles.js';
import type { BodyStyle } from './style-census.js';

export interface PageBlocks {
  number: number;
  blocks: Block[];
  /** Where the text stands. Null for a page that could not be read. */
  shown: ShownText | null;
}

/** A page as it is shown, in points, and its text in reading order. */
export interface ShownText {
  width: number;
  height: number;
  pieces: readonly PagePiece[];
}

/** A document with fewer tagged headings has not been tagged throughout. */
const taggedHeadingsMin = 3;

/** On the first page, authors and dates are set between the title and the text: smaller than the title, and not bold. */
const subtitlePenalty = 1.5;
/** The most that the place of a block adds to its score. Below a table or a picture, the place shows little. */
const placeScoreMax = 1.75;

export function findHeadings(
  pages: readonly PageBlocks[],
  body: BodyStyle,
  titles: KnownTitles,
): ReadonlyMap<TextBlock, number> {
  const isTagged = countTagged(pages) >= taggedHeadingsMin;
  const found: FoundHeading[] = [];
  const alike: TextBlock[] = [];
  for (const { number, blocks } of pages) {
    let title: TextBlock | null = null;
    for (const [index, block] of blocks.entries()) {
      if (block.kind !== 'text') continue;
      const outlineLevel = block.plain === '' ? null : titles.level(number, block.plain);
      const isStated = block.taggedLevel !== null || outlineLevel !== null;
      const score = headingScore(block, { body, isStated, isInList: isListItem(blocks, index), isTagged });
      const isBelowTitle = title !== null && block.size < title.size * 0.95 && !block.isBold;
      if (score - (isBelowTitle ? subtitlePenalty : 0) >= headingScoreMin) {
        found.push({ block, outlineLevel });
        if (number === 1) title ??= block;
      } else if (!isBelowTitle && score >= headingScoreMin - placeScoreMax && isHeadOfText(block)) alike.push(block);
      // The first paragraph of the text follows.
      if (block.letters > headingLettersMax) title = null;
    }
  }
  // A style that heads paragraphs in one place does so in others, wherever it stands.
  const faces = new Set(found.flatMap(({ block }) => (isHeadOfText(block) ? [faceOf(block)] : [])));
  for (const block of alike) if (faces.has(faceOf(block))) found.push({ block, outlineLevel: null });
  return headingLevels(found);
}

/** Whether only its face distinguishes the block from the paragraph below. */
function isHeadOfText({ headsText, isBold }: TextBlock): boolean {
  return headsText && !isBold;
}

function faceOf({ size, isItalic }: TextBlock): string {
  return `${Math.round(size * 2)} ${isItalic}`;
}

function countTagged(pages: readonly PageBlocks[]): number {
  let count = 0;
  for (const { blocks } of pages)
    for (const block of blocks) if (block.kind === 'text' && block.taggedLevel !== null) count++;
  return count;
}

const simpleNumber = /^\(?(\d{1,3})[.)]\s/;

/** Whether the block beside it has the next or the previous number, in the same size. */
function isListItem(blocks: readonly Block[], index: number): boolean {
  const own = numberOf(blocks[index]);
  if (own === null) return false;
  return numberOf(blocks[index + 1]) === own + 1 || numberOf(blocks[index - 1]) === own - 1;
}

function numberOf(block: Block | undefined): number | null {
  if (block?.kind !== 'text') return null;
  const found = simpleNumber.exec(
    block.plain === '' ? block.markdown.slice(0, 10).replace('\\', '') : block.plain,
  )?.[1];
  return found === undefined ? null : Number(found);
}
