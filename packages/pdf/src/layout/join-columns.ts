/** Joins the two parts of a paragraph that continues in the next column. */
import type { LineJoiner } from '../markdown/join-lines.js';
import { boundsOf } from '../words/rows.js';
import type { Block, TextBlock } from './block.js';
import { isSameSize } from './wrap-edges.js';

/** Tables and notes, which are smaller than the text, may stand between the parts: this many in each column. */
const betweenMax = 4;
/** Lines of prose have more letters, and fill their column. */
const lettersMin = 24;
const widthShareMin = 0.8;

const unfinished = /[\p{Ll}\p{N},\-\u00AD\u2010–]$/u;
const continuation = /^\p{Ll}/u;

/** The blocks of regions that follow each other. */
export function joinColumns(regions: readonly Block[][], joiner: LineJoiner): Block[] {
  let before: readonly Block[] = [];
  for (const region of regions) {
    const [first, second] = partsOf(before, region) ?? [];
    if (region.length > 1 || second === undefined) before = region;
    if (first === undefined || second === undefined) continue;
    const [text, more] = [first.markdown, second.markdown];
    const letters = first.letters + second.letters;
    Object.assign(first, {
      ...boundsOf([first, second]),
      markdown: joiner.join([
        { text, isBroken: false },
        { text: more, isBroken: false },
      ]),
      plain: '',
      letters,
      lines: first.lines + second.lines,
    });
    region.splice(region.indexOf(second), 1);
  }
  return regions.flat();
}

/** The end of the first region and the beginning of the second, if they are one paragraph. */
function partsOf(before: readonly Block[], after: readonly Block[]): [TextBlock, TextBlock] | null {
  const texts = after.slice(0, betweenMax).filter((block) => block.kind === 'text');
  const at = texts.findIndex(({ markdown }) => continuation.test(markdown));
  const second = texts[at];
  if (second === undefined || !texts.slice(0, at).every((text) => isSmaller(text, second))) return null;
  const first = before
    .slice(-betweenMax)
    .filter((block) => block.kind === 'text')
    .findLast((text) => !isSmaller(text, second));
  return first !== undefined && continues(first, second) ? [first, second] : null;
}

function isSmaller(text: TextBlock, other: TextBlock): boolean {
  return text.size < other.size && !isSameSize(text, other);
}

function continues(first: TextBlock, second: TextBlock): boolean {
  return (
    isSameSize(first, second) &&
    first.isBold === second.isBold &&
    first.code === null &&
    second.code === null &&
    !first.isEntry &&
    first.letters >= lettersMin &&
    first.widthShare >= widthShareMin &&
    unfinished.test(first.markdown) &&
    continuation.test(second.markdown)
  );
}
