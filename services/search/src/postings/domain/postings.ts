// A posting records that a passage contains a term, how often, and how long the passage is. The passages of a file have consecutive
// numbers: the title has the first, the chunks follow. A posting includes the passage's place in its file (0 for the title), so that
// passages can be grouped by file without another lookup.
//
// Postings are stored in lists, ordered by number. A list encodes four numbers for each posting: the difference to the previous number,
// place, repeats, length. The first difference is relative to `first`, which is stored beside the list.
import { encodeNumber } from './compact-numbers.js';

export interface PostingList {
  /** The first difference is relative to this number. */
  readonly first: number;
  readonly count: number;
  readonly data: string;
  /** No posting has a lower number. Absent when `first` is that number. */
  readonly lowest?: number;
}

const lowestIn = (list: PostingList | undefined) => list?.lowest ?? list?.first;

export interface Posting {
  readonly number: number;
  readonly place: number;
  readonly repeats: number;
  /** Terms in the passage, repeats counted. */
  readonly length: number;
}

/** Encodes postings in the order of their numbers. */
export class PostingWriter {
  count = 0;
  data = '';

  /** The first difference is relative to `last`. */
  constructor(public last: number) {}

  add({ number, place, repeats, length }: Posting): void {
    this.data += encodeNumber(number - this.last) + encodeNumber(place) + encodeNumber(repeats) + encodeNumber(length);
    this.last = number;
    this.count++;
  }
}

/** Values of each posting in a decoded list. */
export const STRIDE = 4;

/** Iterates over ordered lists, decoding one at a time. Its position is on a posting, or after the last one. */
export class PostingCursor implements Posting {
  /** The position in `decoded`, and the end of the list there. */
  at = 0;
  end = 0;
  private lists: readonly PostingList[] = [];
  private list = -1;

  /**
   * `decoded` holds number, place, repeats and length of each posting of the current list. Cursors that are used one after the other can
   * share it.
   */
  constructor(
    lists: readonly PostingList[],
    public decoded = new Float64Array(0),
  ) {
    this.append(lists);
  }

  /** Infinity after the last posting. */
  get number(): number {
    return this.at < this.end ? (this.decoded[this.at] as number) : Number.POSITIVE_INFINITY;
  }

  get place(): number {
    return this.decoded[this.at + 1] as number;
  }

  get repeats(): number {
    return this.decoded[this.at + 2] as number;
  }

  get length(): number {
    return this.decoded[this.at + 3] as number;
  }

  /** Adds lists after the present ones. */
  append(lists: readonly PostingList[]): void {
    this.lists = [...this.lists.slice(Math.max(this.list, 0)), ...lists];
    this.list = Math.min(this.list, 0);
    if (this.at >= this.end) this.nextList();
  }

  advance(): void {
    this.at += STRIDE;
    if (this.at >= this.end) this.nextList();
  }

  /** Moves to the beginning of the next list, if there is one. */
  nextList(): void {
    while (this.at >= this.end && this.list + 1 < this.lists.length) this.open(this.list + 1);
  }

  /** Moves forward to the first posting whose number is `number` or higher. Lists that end before it are not decoded. */
  skipTo(number: number): void {
    if (this.number >= number) return;
    let list = this.list;
    while (this.beginsBetween(list + 1, lowestIn(this.lists[list]) ?? -1, number)) list++;
    if (list !== this.list) this.open(list);
    while (this.number < number) this.advance();
  }

  /** Moves forward to the list with the last posting whose number is at most `number`. Lists before it are not decoded. */
  skipListsTo(number: number): void {
    let list = this.list;
    while ((lowestIn(this.lists[list + 1]) ?? Number.POSITIVE_INFINITY) <= number) list++;
    if (list !== this.list) this.open(list);
  }

  /** Lists of one file in the tail may begin with the same number. The first of them must not be skipped. */
  private beginsBetween(list: number, after: number, number: number): boolean {
    const lowest = lowestIn(this.lists[list]);
    return lowest !== undefined && lowest > after && lowest <= number;
  }

  private open(index: number): void {
    const list = this.lists[index] as PostingList;
    this.list = index;
    this.at = 0;
    this.end = list.count * STRIDE;
    if (this.decoded.length < this.end) this.decoded = new Float64Array(this.end);
    decodeList(list, this.decoded);
  }
}

/** The bytes of the list that is decoded. It grows to the longest list. */
let listBytes = Buffer.allocUnsafe(8_192);

/**
 * Reads numbers as `NumberReader` does, but in one loop over local variables: a search spends most of its time here. The characters are read
 * from a copy in bytes, since a list is a slice of a long text, and `charCodeAt` looks up the text for each character.
 */
function decodeList({ first, count, data }: PostingList, into: Float64Array): void {
  if (data.length > listBytes.length) listBytes = Buffer.allocUnsafe(2 * data.length);
  const bytes = listBytes;
  bytes.write(data, 'latin1');
  const end = count * STRIDE;
  let at = 0;
  let before = first;
  for (let index = 0; index < end; index++) {
    let code = bytes[at++] as number;
    let value = code - 0x40;
    if (code < 0x40) {
      value = 0;
      let scale = 1;
      do {
        value += (code - 0x20) * scale;
        scale *= 32;
        code = bytes[at++] as number;
      } while (code < 0x40);
      value += (code - 0x40) * scale;
    }
    if ((index & 3) === 0) value = before += value;
    into[index] = value;
  }
  if (at !== data.length) throw new Error(`The posting list that begins at number ${first} is damaged.`);
}
