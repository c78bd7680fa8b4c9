// Converts the rows that a search reads into lists of postings for each term. Files of the tail get temporary numbers after those of merged
// files, so that both are scored alike.
import type { TextLanguage } from '@kiln/contracts';
import { numberArray } from '../array-literal.rows.js';
import type { PassageTotals } from './domain/bm25.js';
import { NumberReader } from '../postings/domain/compact-numbers.js';
import { NumberSet } from '../postings/domain/number-set.js';
import { PostingCursor, type PostingList } from '../postings/domain/postings.js';
import { TailScanner } from '../postings/domain/tail-data.js';
import {
  WINDOW_ROW,
  BLOCK_ROW,
  FURTHER_COUNT_ROW,
  RANGE_ROW,
  TAIL_ROW,
  TENANT_ROW,
  LANGUAGE_ROW,
  type IndexRow,
} from './rank.statements.js';

/** The run shows whether the scored version is still the current one when its text is read. */
export interface TailFile {
  readonly fileId: string;
  readonly jobNumber: number;
  readonly fence: number;
}

/** The values of $2 to $5 of the statements that read texts. */
export function keysOf({ tailFiles }: IndexReader, files: readonly { first: number }[]): unknown[] {
  const inTail = files.map(({ first }) => tailFiles.get(first));
  return [
    numberArray(files.map(({ first }, position) => (inTail[position] ? null : first))),
    inTail.map((file) => file?.fileId ?? null),
    numberArray(inTail.map((file) => file?.jobNumber ?? null)),
    numberArray(inTail.map((file) => file?.fence ?? null)),
  ];
}

const byFirst = (left: PostingList, right: PostingList) => left.first - right.first;

/** Groups rows by file, ordered by part. A file whose first parts are merged comes first, because it has the lowest numbers. */
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
  /** How many passages contain each term, by the position of the term. */
  readonly passages: number[];
  /** Those of the tenant's files. */
  readonly languages: TextLanguage[] = [];
  readonly removed = new NumberSet();
  /** Files of the tail, by the number of their first passage. */
  readonly tailFiles = new Map<number, TailFile>();
  /** False when the first statement could not read everything. */
  complete = true;
  /** All merged passages have lower numbers. */
  nextNumber = 0;
  tailPassages = 0;
  /** Removed numbers that are not collected in a window yet. */
  removedNumbers = 0;
  readonly cursors: PostingCursor[];
  /** For each of `groups`, one cursor per term. They move independently of `cursors`. */
  readonly groupCursors: PostingCursor[][][];
  private readonly tailLists: PostingList[][];

  /** `groups`: positions of terms that are read together, such as those of a clause in each language. */
  constructor(
    private readonly terms: readonly string[],
    private readonly groups: readonly (readonly (readonly number[])[])[],
  ) {
    this.groupCursors = groups.map((each) => each.map((positions) => positions.map(() => new PostingCursor([]))));
    this.passages = terms.map(() => 0);
    this.cursors = terms.map(() => new PostingCursor([]));
    this.tailLists = terms.map(() => []);
  }

  /** Takes the rows of the first statement. */
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
      if (row.kind === LANGUAGE_ROW) this.languages.push(row.data as TextLanguage);
      if (row.kind === BLOCK_ROW) this.count(row.position - 1, row.count);
      if (row.kind === FURTHER_COUNT_ROW) {
        this.count(row.position - 1, row.first ?? 0);
        this.complete = false;
      }
    }
    this.readTail(tail);
  }

  /** Takes the rows of a further statement, which has the blocks of the next numbers. */
  readFurther(rows: readonly IndexRow[]): void {
    const lists: PostingList[][] = this.terms.map(() => []);
    for (const { kind, position, first, count, data } of rows) {
      if (first === null || data === null) continue;
      if (kind === WINDOW_ROW) this.removed.load(first, data);
      if (kind === BLOCK_ROW) lists[position - 1]?.push({ first, count, data });
    }
    this.append(lists.map((list) => list.toSorted(byFirst)));
  }

  /** Appends the tail after all blocks. */
  appendTail(): void {
    this.append(this.tailLists);
  }

  private append(lists: readonly PostingList[][]): void {
    for (const [position, cursor] of this.cursors.entries()) cursor.append(lists[position] ?? []);
    const positions = this.groups.flat(2);
    for (const [at, cursor] of this.groupCursors.flat(2).entries()) cursor.append(lists[positions[at] ?? -1] ?? []);
  }

  private readTail(rows: readonly IndexRow[]): void {
    const scanner = new TailScanner(this.terms);
    let next = this.nextNumber;
    for (const parts of filesOf(rows)) {
      const [{ file_id: fileId, first: merged, job_number: jobNumber, fence }] = parts;
      const first = merged ?? next;
      // A file whose first parts are merged already has a number, and is found like a merged file.
      if (merged === null && fileId !== null) {
        this.tailFiles.set(first, { fileId, jobNumber: jobNumber ?? 0, fence: fence ?? 0 });
      }
      const places = Math.max(...parts.map((part) => part.position)) + 1;
      if (merged === null) next += places;
      for (const { data } of parts) {
        scanner.scan(data ?? '', first, places, (position, list) => {
          // The tail of a partially merged file begins after its merged passages.
          const lowest = () => first + new NumberReader(list.data).next();
          this.tailLists[position]?.push(merged === null ? list : { ...list, lowest: lowest() });
          this.count(position, list.count);
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
