/** Divides a page into the regions in which its text is read: columns, and text that runs across them. */
import type { Box } from '../page-model.js';
import { boundsOf as extent, type Segment } from '../words/rows.js';
import type { Table } from '../tables/table.js';
import { belowColumns } from './below-columns.js';
import { separateTexts } from './separate-texts.js';

export type Item = Segment | Table;

/** Each column of a page has at least this many lines. With fewer lines, it is a label beside a text. */
const columnLinesMin = 3;
/** Gutters between columns of a page are wider than spaces, in multiples of the size. */
const gutterEms = 0.9;
/** Lines of prose have more letters on average; names and numbers have fewer. */
const lettersOfLineMin = 12;
/** Text covers at least this share of a column's height. With double spacing and headings, it covers a half. Addresses cover less. */
const coveredShareMin = 0.35;
/** Columns overlap in height by at least half of the shorter one. */
const besideShareMin = 0.5;
/** Newspapers have up to eight columns, which takes three divisions in halves. */
const depthMax = 4;
const candidatesMax = 8;
const centeredCandidatesMax = 2;
/** A page number between two columns is narrower, in points. */
const centeredMax = 40;
/** The step in which gutters are searched, in points. */
const step = 2;

/** The regions in reading order. Right-to-left pages begin with the right column. */
export function regionsOf(items: readonly Item[], isRightToLeft: boolean, depth = 0): Item[][] {
  if (items.length < 2 * columnLinesMin || depth >= depthMax) return items.length === 0 ? [] : [[...items]];
  const bands = bestBands(items);
  if (bands === null) return [[...items]];
  const regions: Item[][] = [];
  for (const band of bands) {
    if (!band.isColumns) regions.push([...band.across, ...band.left, ...band.right]);
    else {
      const sides = isRightToLeft ? [band.right, band.left] : [band.left, band.right];
      for (const side of sides) regions.push(...regionsOf(side, isRightToLeft, depth + 1));
    }
  }
  return regions;
}

interface Columns {
  above: Item[];
  left: Item[];
  right: Item[];
  below: Item[];
}

interface Stretch {
  /** Its middle. */
  x: number;
  covered: number;
}

interface Band {
  across: Item[];
  left: Item[];
  right: Item[];
  isColumns: boolean;
}

/** The bands beside the best gutter. Null if no gutter divides the items into columns. */
function bestBands(items: readonly Item[]): Band[] | null {
  let best: Band[] | null = null;
  let bestHeight = 0;
  const sorted = [...items].sort((first, second) => first.top + first.bottom - second.top - second.bottom);
  for (const x of gutterCandidates(items)) {
    const bands = bandsOf(sorted, x);
    const height = bands.reduce((sum, band) => sum + (band.isColumns ? heightOf(band) : 0), 0);
    if (height > bestHeight) [best, bestHeight] = [bands, height];
  }
  return best;
}

function heightOf({ left, right }: Band): number {
  const [one, other] = [extent(left), extent(right)];
  return Math.max(one.bottom, other.bottom) - Math.min(one.top, other.top);
}

/**
 * The positions that the fewest lines cross, within the inner four fifths. A page number that is centered in a gutter
 * leaves a gap on each side. Its own position is the middle of the gutter.
 */
function gutterCandidates(items: readonly Box[]): number[] {
  const { left, right } = extent(items);
  const count = Math.min(2_000, Math.ceil((right - left) / step) + 1);
  const changes = new Float64Array(count + 1);
  for (const item of items) {
    const height = item.bottom - item.top;
    const [from, to] = [
      Math.max(0, Math.ceil((item.left - left) / step)),
      Math.min(count, Math.floor((item.right - left) / step)),
    ];
    if (to <= from) continue;
    changes[from] = (changes[from] ?? 0) + height;
    changes[to] = (changes[to] ?? 0) - height;
  }
  const [gaps, bumps]: [Stretch[], Stretch[]] = [[], []];
  let [covered, start, falls] = [0, 0, true];
  for (let index = 0; index < count; index++) {
    const change = changes[index] ?? 0;
    if (change !== 0 && Math.abs(change) > 1e-6) {
      const stretch = { x: left + ((start + index) / 2) * step, covered };
      if (change > 0 && falls) gaps.push(stretch);
      if (change < 0 && !falls && (index - start) * step <= centeredMax) bumps.push(stretch);
      falls = change < 0;
      start = index;
    }
    covered += change;
  }
  const margin = (right - left) * 0.1;
  const least = (stretches: readonly Stretch[], most: number): number[] =>
    stretches
      .filter(({ x }) => x > left + margin && x < right - margin)
      .sort((first, second) => first.covered - second.covered)
      .slice(0, most)
      .map(({ x }) => x);
  return [...least(gaps, candidatesMax), ...least(bumps, centeredCandidatesMax)];
}

/** Divides items at those that cross the gutter. Items are sorted from top to bottom. */
function bandsOf(sorted: readonly Item[], x: number): Band[] {
  const bands: Band[] = [];
  let sides: Band = emptyBand();
  const addAcross = (items: readonly Item[]): void => {
    if (items.length === 0) return;
    const last = bands.at(-1);
    if (last === undefined || last.isColumns) bands.push({ ...emptyBand(), across: [...items] });
    else last.across.push(...items);
  };
  const endSides = (next: Item | null): void => {
    const { left, right } = sides;
    if (left.length + right.length === 0) return;
    const texts = areColumns(left, right) ? columnsAbove(left, right, next) : textsOf(left, right);
    addAcross(texts?.above ?? [...left, ...right]);
    if (texts !== null) bands.push({ ...emptyBand(), left: texts.left, right: texts.right, isColumns: true });
    addAcross(texts?.below ?? []);
    sides = emptyBand();
  };
  for (const item of sorted) {
    if (item.left < x && item.right > x) {
      endSides(item);
      addAcross([item]);
    } else (item.right <= x ? sides.left : sides.right).push(item);
  }
  endSides(null);
  return bands;
}

function emptyBand(): Band {
  return { across: [], left: [], right: [], isColumns: false };
}

function areColumns(left: readonly Item[], right: readonly Item[]): boolean {
  if (!isColumn(left) || !isColumn(right)) return false;
  const [one, other] = [extent(left), extent(right)];
  const beside = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  const shorter = Math.min(one.bottom - one.top, other.bottom - other.top);
  return beside >= shorter * besideShareMin && areApart(left, right);
}

/** The columns, and the text below both that belongs to the line across them. */
function columnsAbove(left: Item[], right: Item[], next: Item | null): Columns {
  const whole = { above: [], left, right, below: [] };
  if (next === null) return whole;
  const isLeft = extent(left).bottom > extent(right).bottom;
  const [longer, shorter] = isLeft ? [left, right] : [right, left];
  const parts = belowColumns(longer, shorter, next, sizeOf([...left, ...right]));
  if (parts === null || !areColumns(parts.beside, shorter)) return whole;
  return { ...whole, [isLeft ? 'left' : 'right']: parts.beside, below: parts.below };
}

function areApart(left: readonly Item[], right: readonly Item[]): boolean {
  return extent(right).left - extent(left).right >= gutterEms * sizeOf([...left, ...right]);
}

/** Two short texts without any table. */
function textsOf(left: readonly Item[], right: readonly Item[]): Columns | null {
  const [one, other] = [left, right].map((side) => side.filter((item) => 'words' in item));
  if (one?.length !== left.length || other?.length !== right.length || !areApart(left, right)) return null;
  return separateTexts(one, other);
}

function isColumn(items: readonly Item[]): boolean {
  const lines = items.filter((item): item is Segment => 'words' in item);
  if (items.length > lines.length && lines.length === 0) return true;
  const letters = lines.reduce((sum, line) => sum + line.letters, 0);
  const { top, bottom } = extent(items);
  const covered = items.reduce((sum, item) => sum + item.bottom - item.top, 0);
  return (
    lines.length >= columnLinesMin &&
    letters >= lines.length * lettersOfLineMin &&
    covered >= (bottom - top) * coveredShareMin
  );
}

function sizeOf(items: readonly Item[]): number {
  const sizes = items.flatMap((item) => ('words' in item ? [item.size] : [])).sort((first, second) => first - second);
  return sizes[sizes.length >> 1] ?? 10;
}
