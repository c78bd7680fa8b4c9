// Converts the rows of an index read to a list of postings for each term. Files of the tail get temporary numbers above the numbers of merged
// files, so both are scored alike.
import type { TextLanguage } from '@kiln/contracts';
import { NumberReader } from '../../postings/domain/compact-numbers.js';
import { NumberSet } from '../../postings/domain/number-set.js';
import { PostingCursor, type PostingList } from '../../postings/domain/postings.js';
import { TailScanner } from '../../postings/domain/tail-data.js';
import type { FileVersion } from '../../text-index/indexed-text.domain.js';
import type { PassageTotals } from './bm25.js';

type List<Element> = readonly Element[] | null;

/** The blocks of a range of numbers, and the removed numbers there. */
export interface IndexRange {
  /** For each block: the position of its term (from 1), its first number, and the count of its postings. */
  positions: List<number>;
  firsts: List<number>;
  counts: List<number>;
  /** The postings of these blocks, joined by line feeds. */
  postings: string | null;
  removed_windows: List<readonly [window: number, ranges: string]>;
}

interface StoredTotals {
  chunks: number;
  chunk_length: number;
  titles: number;
  title_length: number;
}

/** A row of the tail: some chunks of a file that are not merged yet. */
interface TailPart extends StoredTotals {
  file_id: string;
  part: number;
  last_place: number;
  /** The file's number if some of it is merged already. */
  first_number: number | null;
  job_number: number;
  fence: number;
}

/** The index at one time: all of it, or its first range of numbers. */
export interface IndexStart extends IndexRange {
  merged: (StoredTotals & { next_number: number; version: string }) | null;
  languages: List<TextLanguage>;
  /** Removed numbers that are not in a window yet. */
  removed_ranges: List<readonly [first: number, count: number]>;
  /** The first number of each further range, in order. Null when the index was read as a whole. */
  further_ranges: List<number>;
  /** The position of each term, and the count of its postings in further ranges. */
  further: List<readonly [position: number, count: number]>;
  /** Whether the facets are read after the words. */
  facets_left_out: boolean;
  tail: List<TailPart>;
  /** The terms of these parts, joined by line feeds. */
  tail_data: string | null;
  /** The totals of the files on the remote index. Null when it has none. */
  remote: (StoredTotals & { withheld: List<string> }) | null;
}

type PartWithData = TailPart & { data: string };

const linesOf = (text: string | null) => text?.split('\n') ?? [];
const byFirst = (left: PostingList, right: PostingList) => left.first - right.first;

export class IndexReader {
  readonly totals: PassageTotals = { chunks: 0, chunkLength: 0, titles: 0, titleLength: 0 };
  /** How many passages contain each term, by the position of the term. */
  readonly passages: number[];
  /** The languages of the tenant's files. */
  readonly languages: readonly TextLanguage[];
  readonly removed = new NumberSet();
  /** Files of the tail and of the remote index, by the number of their first passage. When a text is read, the version shows whether it is still current. */
  readonly tailFiles = new Map<number, FileVersion>();
  /** The first number of each range that has to be read by `readFurther`, in order. */
  readonly furtherRanges: readonly number[];
  /** Files that the remote index must leave out. Null when it has no files of the tenant. */
  readonly leftOutRemotely: ReadonlySet<string> | null;
  /** All merged passages have lower numbers. */
  private readonly nextNumber: number;
  /** No file of the tail has this number or a higher one. */
  private nextTemporary: number;
  /** The larger of two counts: passages in the tail, and removed numbers that are not in a window yet. */
  readonly unmerged: number;
  readonly cursors: PostingCursor[];
  /** For each of `groups`, one cursor per term. They move independently of `cursors`. */
  readonly groupCursors: PostingCursor[][][];
  private readonly tailLists: PostingList[][];

  /** `groups` has the positions of terms that are read together, such as those of a clause in each language. */
  constructor(
    private readonly terms: readonly string[],
    private readonly groups: readonly (readonly (readonly number[])[])[],
    start: IndexStart,
  ) {
    this.groupCursors = groups.map((each) => each.map((positions) => positions.map(() => new PostingCursor([]))));
    this.passages = terms.map(() => 0);
    this.cursors = terms.map(() => new PostingCursor([]));
    this.tailLists = terms.map(() => []);
    this.languages = start.languages ?? [];
    this.furtherRanges = start.further_ranges ?? [];
    this.nextNumber = start.merged?.next_number ?? 0;
    this.nextTemporary = this.nextNumber;
    this.readFurther(start);
    for (const [at, position] of (start.positions ?? []).entries()) this.count(position - 1, start.counts?.[at] ?? 0);
    for (const [position, count] of start.further ?? []) this.count(position - 1, count);
    if (start.merged) this.addTotals(start.merged);
    if (start.remote) this.addTotals(start.remote);
    const removed = start.removed_ranges ?? [];
    for (const [first, count] of removed) this.removed.addRange(first, count);
    const lines = linesOf(start.tail_data);
    this.readTail((start.tail ?? []).map((part, at) => ({ ...part, data: lines[at] ?? '' })));
    const tailPassages = (start.tail ?? []).reduce((sum, part) => sum + Math.max(part.chunks + part.titles, 1), 0);
    const removedPassages = removed.reduce((sum, [, count]) => sum + count, 0);
    this.unmerged = Math.max(tailPassages, removedPassages);
    const inTail = (start.tail ?? []).map((part) => part.file_id);
    this.leftOutRemotely = start.remote && new Set([...(start.remote.withheld ?? []), ...inTail]);
  }

  /** Takes how many passages on the remote index contain each term. */
  countRemote(frequencies: readonly number[]): void {
    for (const [position, passages] of frequencies.entries()) this.count(position, passages);
  }

  /** Returns a temporary number for the first passage of a file of the remote index. */
  addRemoteFile(version: FileVersion): number {
    const number = this.nextTemporary++;
    this.tailFiles.set(number, version);
    return number;
  }

  /** Takes the blocks of the next numbers. */
  readFurther({ positions, firsts, counts, postings, removed_windows: windows }: IndexRange): void {
    const lists: PostingList[][] = this.terms.map(() => []);
    const lines = linesOf(postings);
    for (const [at, position] of (positions ?? []).entries()) {
      lists[position - 1]?.push({ first: firsts?.[at] ?? 0, count: counts?.[at] ?? 0, data: lines[at] ?? '' });
    }
    for (const [window, ranges] of windows ?? []) this.removed.load(window, ranges);
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

  private readTail(rows: readonly PartWithData[]): void {
    const scanner = new TailScanner(this.terms);
    for (const parts of filesOf(rows)) {
      const [{ file_id: fileId, first_number: merged, job_number: jobNumber, fence }] = parts;
      const first = merged ?? this.nextTemporary;
      const places = Math.max(...parts.map((part) => part.last_place)) + 1;
      // A file whose first parts are merged already has a number. It is found like a merged file.
      if (merged === null) {
        this.tailFiles.set(first, { fileId, jobNumber, fence });
        this.nextTemporary += places;
      }
      for (const part of parts) {
        this.addTotals(part);
        scanner.scan(part.data, first, places, (position, list) => {
          // The tail of a partially merged file begins after its merged passages.
          const lowest = () => first + new NumberReader(list.data).next();
          this.tailLists[position]?.push(merged === null ? list : { ...list, lowest: lowest() });
          this.count(position, list.count);
        });
      }
    }
  }

  private addTotals({ chunks, chunk_length: chunkLength, titles, title_length: titleLength }: StoredTotals): void {
    this.totals.chunks += chunks;
    this.totals.chunkLength += chunkLength;
    this.totals.titles += titles;
    this.totals.titleLength += titleLength;
  }

  private count(position: number, passages: number): void {
    this.passages[position] = (this.passages[position] ?? 0) + passages;
  }
}

/** Groups parts by file, in their order. A file whose first parts are merged has the lowest numbers and comes first. */
function filesOf(rows: readonly PartWithData[]): [PartWithData, ...PartWithData[]][] {
  const sorted = rows.toSorted((left, right) => left.part - right.part);
  const all = [...Map.groupBy(sorted, ({ file_id: id }) => id).values()] as [PartWithData, ...PartWithData[]][];
  return [...all.filter(([part]) => part.first_number !== null), ...all.filter(([part]) => part.first_number === null)];
}
