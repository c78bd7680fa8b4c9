/** The cells between the rules of a grid. Where a separator is missing, cells span rows or columns. */
import type { Rule, Word } from '../page-model.js';
import { DisjointSets, type Grid } from './rule-grid.js';
import { cellMarkdown, repeatedCell } from './table.js';
import { valueRows } from './value-rows.js';

/** Borders closer than this count as one, because no line of text fits between them. */
export const sameLineMax = 4;
/** A separator exists if rules cover this share of a cell's side. */
const separatorShareMin = 0.5;

export interface FilledCell {
  words: Word[];
  right: number;
}

function isNextWord(before: Word, word: Word): boolean {
  const gap = word.left - before.right;
  return Math.abs(word.baseline - before.baseline) < word.size * 0.1 && gap > 0 && gap < word.size * 0.4;
}

export class CellGrid {
  private readonly columns: number;
  private readonly rows: number;
  private readonly groups: DisjointSets;
  private readonly words = new Map<number, Word[]>();
  private last: { word: Word; cell: number } | null = null;
  /** The number of words in another cell than the previous word, although only a space separates them. */
  divided = 0;

  constructor(
    grid: Grid,
    private readonly xs: readonly number[],
    private readonly ys: readonly number[],
  ) {
    [this.columns, this.rows] = [xs.length - 1, ys.length - 1];
    this.groups = new DisjointSets(this.columns * this.rows);
    this.joinSpans(coverage(grid.vertical, xs, ys), coverage(grid.horizontal, ys, xs));
  }

  get count(): number {
    const roots = new Set<number>();
    for (let cell = 0; cell < this.columns * this.rows; cell++) roots.add(this.groups.find(cell));
    return roots.size;
  }

  /** Whether the middle of a word is in the grid. */
  add(word: Word): boolean {
    const column = intervalOf(this.xs, (word.left + word.right) / 2);
    const row = intervalOf(this.ys, (word.top + word.bottom) / 2);
    if (column === -1 || row === -1) return false;
    const cell = this.groups.find(row * this.columns + column);
    const words = this.words.get(cell);
    if (words === undefined) this.words.set(cell, [word]);
    else words.push(word);
    const { last } = this;
    if (last !== null && last.cell !== cell && isNextWord(last.word, word)) this.divided++;
    this.last = { word, cell };
    return true;
  }

  /** The words of each cell that has any, and its right border. */
  filled(): FilledCell[] {
    const rights = new Map<number, number>();
    for (let cell = 0; cell < this.columns * this.rows; cell++) {
      const root = this.groups.find(cell);
      rights.set(root, Math.max(rights.get(root) ?? 0, this.xs[(cell % this.columns) + 1] ?? 0));
    }
    return Array.from(this.words, ([cell, words]) => ({ words, right: rights.get(cell) ?? 0 }));
  }

  /** The rows of the table. A cell that spans is repeated, as in tables of HTML. */
  markdown(): string[][] {
    const texts = new Map<number, string>();
    for (const [cell, words] of this.words) texts.set(cell, cellMarkdown(words));
    const text = (cell: number): string => {
      const root = this.groups.find(cell);
      const whole = texts.get(root) ?? '';
      return root === cell ? whole : repeatedCell(whole);
    };
    return Array.from({ length: this.rows }, (_, row) => {
      const cells = Array.from({ length: this.columns }, (_cell, column) => row * this.columns + column);
      const values = cells.some((cell) => this.isSpan(cell)) ? null : this.valuesOf(cells);
      return values?.map((words) => words.map(cellMarkdown)) ?? [cells.map(text)];
    }).flat();
  }

  private valuesOf(cells: readonly number[]): Word[][][] | null {
    const words = cells.map((cell) => this.words.get(cell) ?? []);
    return valueRows(words, this.xs.slice(1));
  }

  private isSpan(cell: number): boolean {
    const root = this.groups.find(cell);
    return [cell - 1, cell + 1, cell - this.columns, cell + this.columns].some(
      (other) => other >= 0 && other < this.columns * this.rows && this.groups.find(other) === root,
    );
  }

  /** Joins cells that no rule separates: all of them if they form a rectangle, else those of a row. */
  private joinSpans(vertical: readonly Float64Array[], horizontal: readonly Float64Array[]): void {
    const { columns, rows, xs, ys } = this;
    const spans = new DisjointSets(columns * rows);
    const size = (lines: readonly number[], at: number): number => (lines[at + 1] ?? 0) - (lines[at] ?? 0);
    const isOpen = (cell: number): boolean => {
      const row = Math.floor(cell / columns);
      return (vertical[cell % columns]?.[row] ?? 0) < separatorShareMin * size(ys, row);
    };
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const cell = row * columns + column;
        if (column + 1 < columns && isOpen(cell + 1)) spans.join(cell, cell + 1);
        if (row + 1 < rows && (horizontal[row + 1]?.[column] ?? 0) < separatorShareMin * size(xs, column))
          spans.join(cell, cell + columns);
      }
    const boxes = new Map<number, { right: number; bottom: number; left: number; top: number; cells: number }>();
    for (let cell = 0; cell < columns * rows; cell++) {
      const [row, column] = [Math.floor(cell / columns), cell % columns];
      const root = spans.find(cell);
      const box = boxes.get(root) ?? { left: column, right: column, top: row, bottom: row, cells: 0 };
      box.left = Math.min(box.left, column);
      box.right = Math.max(box.right, column);
      box.bottom = Math.max(box.bottom, row);
      box.cells++;
      boxes.set(root, box);
    }
    for (let cell = 0; cell < columns * rows; cell++) {
      const root = spans.find(cell);
      const box = boxes.get(root);
      if (box === undefined) continue;
      const isRectangle = (box.right - box.left + 1) * (box.bottom - box.top + 1) === box.cells;
      if (isRectangle) this.groups.join(root, cell);
      else if (cell % columns > 0 && spans.find(cell - 1) === root && isOpen(cell)) this.groups.join(cell - 1, cell);
    }
  }
}

/** For each line, the covered length of each interval along it. */
function coverage(rules: readonly Rule[], lines: readonly number[], along: readonly number[]): Float64Array[] {
  const covered = lines.map(() => new Float64Array(along.length - 1));
  for (const rule of rules) {
    let line = Math.max(0, intervalOf(lines, rule.at));
    const nearer = (index: number): number => Math.abs((lines[index] ?? Infinity) - rule.at);
    if (rule.at >= (lines.at(-1) ?? 0)) line = lines.length - 1;
    else if (nearer(line + 1) < nearer(line)) line++;
    const sums = covered[line];
    if (sums === undefined || nearer(line) > 2 * sameLineMax) continue;
    for (let index = Math.max(0, intervalOf(along, rule.from)); index < sums.length; index++) {
      const [start, end] = [along[index] ?? 0, along[index + 1] ?? 0];
      if (start >= rule.to) break;
      sums[index] = (sums[index] ?? 0) + Math.max(0, Math.min(end, rule.to) - Math.max(start, rule.from));
    }
  }
  return covered;
}

/** The index of the interval that contains a position. -1 if no interval does. */
function intervalOf(lines: readonly number[], position: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? Infinity) <= position) low = middle + 1;
    else high = middle;
  }
  return low > 0 && low < lines.length ? low - 1 : -1;
}
