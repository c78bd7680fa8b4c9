// A posting says that a passage holds a term, how often, and how long the passage is. All passages of a file have consecutive
// numbers: its title has the first, its chunks follow. The place of a passage in its file (0 for the title) is part of the
// posting, so that a posting alone says which passages belong together.
//
// Postings are kept in runs, ordered by number. A run of postings is encoded as four numbers for each: the distance to the
// number before, place, repeats, length. The first distance is counted from the number that the run's owner keeps beside it.
import { encodeNumber } from './compact-numbers.js';

export interface PostingRun {
  /** What the first distance is counted from. */
  readonly first: number;
  readonly count: number;
  readonly data: string;
}

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

  /** `last`: the number that the first distance is counted from. */
  constructor(public last: number) {}

  add({ number, place, repeats, length }: Posting): void {
    this.data += encodeNumber(number - this.last) + encodeNumber(place) + encodeNumber(repeats) + encodeNumber(length);
    this.last = number;
    this.count++;
  }
}

/** Of a decoded run: four values for each posting. */
export const STRIDE = 4;

/** Walks over runs, which must be ordered, and decodes one at a time. It stands on one posting, or behind the last. */
export class PostingCursor implements Posting {
  /** Where in `decoded` it stands, and where that ends. */
  at = 0;
  end = 0;
  private runs: readonly PostingRun[] = [];
  private run = -1;

  /** `decoded`: the run it is in, with number, place, repeats and length of each posting. Cursors used in turn can share one. */
  constructor(
    runs: readonly PostingRun[],
    public decoded = new Float64Array(0),
  ) {
    this.append(runs);
  }

  /** Infinity behind the last posting. */
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

  /** Adds runs behind those there are. */
  append(runs: readonly PostingRun[]): void {
    this.runs = [...this.runs.slice(Math.max(this.run, 0)), ...runs];
    this.run = Math.min(this.run, 0);
    if (this.at >= this.end) this.nextRun();
  }

  advance(): void {
    this.at += STRIDE;
    if (this.at >= this.end) this.nextRun();
  }

  /** Goes to the beginning of the next run, if there is one. */
  nextRun(): void {
    while (this.at >= this.end && this.run + 1 < this.runs.length) this.open(this.run + 1);
  }

  /** Goes forward to the first posting at or behind `number`. Runs that end before it are not decoded. */
  skipTo(number: number): void {
    if (this.number >= number) return;
    let run = this.run;
    while (this.beginsBetween(run + 1, this.runs[run]?.first ?? -1, number)) run++;
    if (run !== this.run) this.open(run);
    while (this.number < number) this.advance();
  }

  /** Runs of one file in the tail may begin alike: the first of them must not be left out. */
  private beginsBetween(run: number, after: number, number: number): boolean {
    const first = this.runs[run]?.first;
    return first !== undefined && first > after && first <= number;
  }

  private open(index: number): void {
    const run = this.runs[index] as PostingRun;
    this.run = index;
    this.at = 0;
    this.end = run.count * STRIDE;
    if (this.decoded.length < this.end) this.decoded = new Float64Array(this.end);
    decodeRun(run, this.decoded);
  }
}

/** Reads numbers as `NumberReader` does, in one loop over local variables: most of a search's time is spent here. */
function decodeRun({ first, count, data }: PostingRun, into: Float64Array): void {
  const end = count * STRIDE;
  let at = 0;
  let before = first;
  for (let index = 0; index < end; index++) {
    let code = data.charCodeAt(at++);
    let value = code - 0x40;
    if (code < 0x40) {
      value = 0;
      let scale = 1;
      do {
        value += (code - 0x20) * scale;
        scale *= 32;
        code = data.charCodeAt(at++);
      } while (code < 0x40);
      value += (code - 0x40) * scale;
    }
    if ((index & 3) === 0) value = before += value;
    into[index] = value;
  }
  if (at !== data.length) throw new Error(`the postings from number ${first} on are damaged`);
}
