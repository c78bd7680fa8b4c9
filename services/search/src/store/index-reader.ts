// Turns the rows that a search reads into runs of postings for each term, merged and not yet merged ones alike. Files of the
// tail get numbers behind those of the merged ones, for this search only.
import type { PassageTotals } from '../domain/bm25.js';
import { NumberSet } from '../domain/number-set.js';
import { PostingCursor, type PostingRun } from '../domain/postings.js';
import { TailScanner } from '../domain/tail-data.js';
import {
  WINDOW_ROW,
  BLOCK_ROW,
  FURTHER_COUNT_ROW,
  RANGE_ROW,
  TAIL_ROW,
  TENANT_ROW,
  type IndexRow,
} from './rank.statements.js';

const byFirst = (left: PostingRun, right: PostingRun) => left.first - right.first;

/** The rows of each file in order; the file of which the first parts are merged comes first, since its numbers do. */
function filesOf(rows: readonly IndexRow[]): [IndexRow, ...IndexRow[]][] {
  const files = new Map<string | null, [IndexRow, ...IndexRow[]]>();
  for (const row of rows.toSorted((left, right) => left.count - right.count)) {
    const parts = files.get(row.file_id);
    if (parts) parts.push(row);
    else files.set(row.file_id, [row]);
  }
  const all = [...files.values()];
  return [...all.filter(([{ first }]) => first !== null), ...all.filter(([{ first }]) => first === null)];
}

export class IndexReader {
  readonly totals: PassageTotals = { chunks: 0, chunkLength: 0, titles: 0, titleLength: 0 };
  /** How many passages hold each term, by its position. */
  readonly passages: number[];
  readonly removed = new NumberSet();
  /** The files of the tail, by the number of their first passage. */
  readonly tailFiles = new Map<number, string>();
  /** Merged passages have lower numbers. */
  nextNumber = 0;
  tailPassages = 0;
  /** Removed numbers that are in no window yet. */
  removedNumbers = 0;
  readonly cursors: PostingCursor[];
  private readonly tailRuns: PostingRun[][];

  constructor(private readonly terms: readonly string[]) {
    this.passages = terms.map(() => 0);
    this.cursors = terms.map(() => new PostingCursor([]));
    this.tailRuns = terms.map(() => []);
  }

  /** The answer to the first statement. */
  readFirst(rows: readonly IndexRow[]): void {
    this.readFurther(rows);
    const tail: IndexRow[] = [];
    for (const row of rows) {
      if (row.kind === TENANT_ROW) this.nextNumber = row.first ?? 0;
      if (row.kind === TENANT_ROW || row.kind === TAIL_ROW) this.addTotals(row);
      if (row.kind === TAIL_ROW) tail.push(row);
      if (row.kind === RANGE_ROW) {
        this.removed.addRange(row.first ?? 0, row.count);
        this.removedNumbers += row.count;
      }
      if (row.kind === BLOCK_ROW) this.count(row.position - 1, row.count);
      if (row.kind === FURTHER_COUNT_ROW) this.count(row.position - 1, row.first ?? 0);
    }
    this.readTail(tail);
  }

  /** Appends the blocks of the next numbers. */
  readFurther(rows: readonly IndexRow[]): void {
    const runs: PostingRun[][] = this.terms.map(() => []);
    for (const { kind, position, first, count, data } of rows) {
      if (first === null || data === null) continue;
      if (kind === WINDOW_ROW) this.removed.load(first, data);
      if (kind === BLOCK_ROW) runs[position - 1]?.push({ first, count, data });
    }
    for (const [position, cursor] of this.cursors.entries()) cursor.append((runs[position] ?? []).toSorted(byFirst));
  }

  /** Appends the tail, behind all blocks. */
  appendTail(): void {
    for (const [position, cursor] of this.cursors.entries()) cursor.append(this.tailRuns[position] ?? []);
  }

  private readTail(rows: readonly IndexRow[]): void {
    const scanner = new TailScanner(this.terms);
    let next = this.nextNumber;
    for (const parts of filesOf(rows)) {
      const [{ file_id: fileId, first: merged }] = parts;
      const first = merged ?? next;
      // A file of which the first parts are merged has its number already; it is found like a merged one.
      if (merged === null && fileId !== null) this.tailFiles.set(first, fileId);
      const places = Math.max(...parts.map((part) => part.position)) + 1;
      if (merged === null) next += places;
      for (const { data } of parts) {
        scanner.scan(data ?? '', first, places, (position, run) => {
          this.tailRuns[position]?.push(run);
          this.count(position, run.count);
        });
      }
    }
  }

  private addTotals(row: IndexRow): void {
    this.totals.chunks += row.chunks ?? 0;
    this.totals.chunkLength += row.chunk_length ?? 0;
    this.totals.titles += row.titles ?? 0;
    this.totals.titleLength += row.title_length ?? 0;
    if (row.kind === TAIL_ROW) this.tailPassages += Math.max((row.chunks ?? 0) + (row.titles ?? 0), 1);
  }

  private count(position: number, passages: number): void {
    this.passages[position] = (this.passages[position] ?? 0) + passages;
  }
}
