// The layout of a document: its blocks, as the markdown has them, with the lines that the extraction has found on the pages.
import type { BlockKind, Layout, LayoutBlock } from '@kiln/contracts';
import type { PageSpan } from '@kiln/extraction';

/** The units of the extraction's regions. */
const UNITS = 10_000;
const BLANK = /^\s*$/;
const FENCE = /^\s*(`{3,}|~{3,})/;
/** Lines that begin a block. */
const STARTS: readonly (readonly [BlockKind, RegExp])[] = [
  ['heading', /^#{1,6}\s/],
  ['table', /^\s*\|/],
  ['list_item', /^\s*(?:[-*+]|\d{1,9}[.)])\s/],
];

type Line = NonNullable<PageSpan['lines']>[number];
type Block = Pick<LayoutBlock, 'kind' | 'start' | 'end'>;

/** Null for a document whose text has no places. */
export function layoutOf(markdown: string, pages: readonly PageSpan[]): Layout | null {
  const placed = pages.filter(({ lines }) => lines !== undefined);
  if (placed.length === 0) return null;
  return {
    pages: placed.map(({ page, start, end, width = 0, height = 0, lines = [] }) => ({
      page,
      width,
      height,
      blocks: withLines(blocksOf(markdown, start, end), lines),
    })),
  };
}

/** The lines of a page are in the order of its blocks. */
function withLines(blocks: readonly Block[], lines: readonly Line[]): LayoutBlock[] {
  let at = 0;
  return blocks.map((block) => {
    const own: Line[] = [];
    for (let line = lines[at]; line && line[0] < block.end; line = lines[++at]) own.push(line);
    return {
      ...block,
      region: around(own),
      lines: own.map((line) => ({ start: line[0], end: line[1], region: around([line]) })),
    };
  });
}

function around(lines: readonly Line[]): LayoutBlock['region'] {
  if (lines.length === 0) return null;
  const left = Math.min(...lines.map(([, , x]) => x));
  const top = Math.min(...lines.map(([, , , y]) => y));
  const right = Math.max(...lines.map(([, , x, , width]) => x + width));
  const bottom = Math.max(...lines.map(([, , , y, , height]) => y + height));
  return { x: left / UNITS, y: top / UNITS, width: (right - left) / UNITS, height: (bottom - top) / UNITS };
}

/** The blocks of a part of the markdown, without the white space between them. */
function blocksOf(markdown: string, from: number, to: number): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  let fence: string | null = null;
  for (let start = from; start < to;) {
    const newline = markdown.indexOf('\n', start);
    const end = newline < 0 || newline > to ? to : newline;
    const line = markdown.slice(start, end);
    const [, mark = null] = FENCE.exec(line) ?? [];
    if (open && fence !== null) {
      open.end = end;
      if (mark !== null && line.trim() === mark && mark.startsWith(fence)) open = fence = null;
    } else if (BLANK.test(line)) open = null;
    else {
      const kind: BlockKind | undefined = mark === null ? STARTS.find(([, begins]) => begins.test(line))?.[0] : 'code';
      if (open && (kind === undefined || (kind === 'table' && open.kind === 'table'))) open.end = end;
      else blocks.push((open = { kind: kind ?? 'paragraph', start, end }));
      fence = mark;
      if (kind === 'heading') open = null;
    }
    start = end + 1;
  }
  return blocks;
}
