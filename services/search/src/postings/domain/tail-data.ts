// Packs unmerged passages of one file into one text: each term, followed by its postings. The number of a passage is its place in the file
// here.
//
// The format for each term: the length of the term, the term, the count of its postings, the length of the encoded postings, the postings.
import { encodeNumber, NumberReader } from './compact-numbers.js';
import { isFacet } from './facet.js';
import type { Passage } from '../../analysis/domain/passage.js';
import { PostingWriter, type PostingList } from './postings.js';

export interface PlacedPassage {
  readonly place: number;
  readonly passage: Passage;
}

/** The passages must be ordered by place. The posting of a facet has length 0, because its length is unknown until the file is complete. */
export function encodeTail(passages: readonly PlacedPassage[], facets: readonly string[]): string {
  const writers = new Map<string, PostingWriter>();
  const add = (term: string, place: number, repeats: number, length: number) => {
    let writer = writers.get(term);
    if (!writer) writers.set(term, (writer = new PostingWriter(0)));
    writer.add({ number: place, place, repeats, length });
  };
  for (const facet of facets) add(facet, 0, 1, 0);
  for (const { place, passage } of passages) {
    for (const [term, repeats] of passage.repeats) add(term, place, repeats, passage.length);
  }
  let text = '';
  for (const [term, { count, data }] of writers) {
    text += encodeNumber(term.length) + term + encodeNumber(count) + encodeNumber(data.length) + data;
  }
  return text;
}

/** Moves from one term to the next. */
class TailReader {
  start = 0;
  end = 0;
  count = 0;
  private dataStart = 0;
  private readonly numbers: NumberReader;

  constructor(private readonly tail: string) {
    this.numbers = new NumberReader(tail);
  }

  next(): boolean {
    const { numbers, tail } = this;
    if (numbers.at >= tail.length) return false;
    const termLength = numbers.next();
    this.start = numbers.at;
    this.end = numbers.at += termLength;
    this.count = numbers.next();
    const dataLength = numbers.next();
    this.dataStart = numbers.at;
    numbers.at += dataLength;
    if (!(numbers.at <= tail.length)) throw new Error('The packed terms of a file are damaged.');
    return true;
  }

  list(first: number): PostingList {
    return { first, count: this.count, data: this.tail.slice(this.dataStart, this.numbers.at) };
  }
}

/** All terms with their postings. `first` is the number of the file's first passage. */
export function* termsOfTail(tail: string, first: number): Generator<[term: string, list: PostingList]> {
  const reader = new TailReader(tail);
  while (reader.next()) yield [tail.slice(reader.start, reader.end), reader.list(first)];
}

/** Finds a few terms in many tails without decoding the postings of other terms. */
export class TailScanner {
  private readonly wanted = new Map<number, number[]>();

  constructor(private readonly terms: readonly string[]) {
    for (const [position, term] of terms.entries()) {
      const key = keyOf(term, 0, term.length);
      this.wanted.set(key, [...(this.wanted.get(key) ?? []), position]);
    }
  }

  /** Calls `found` with the position of each wanted term that the tail contains. The posting of a facet covers `places` passages. */
  scan(tail: string, first: number, places: number, found: (position: number, list: PostingList) => void): void {
    const reader = new TailReader(tail);
    while (reader.next()) {
      const positions = this.wanted.get(keyOf(tail, reader.start, reader.end));
      if (positions === undefined) continue;
      for (const position of positions) {
        const term = this.terms[position] ?? '';
        if (!tail.startsWith(term, reader.start)) continue;
        found(position, isFacet(term) ? facetList(first, places) : reader.list(first));
      }
    }
  }
}

export function facetList(first: number, places: number): PostingList {
  const writer = new PostingWriter(first);
  writer.add({ number: first, place: 0, repeats: 1, length: places });
  return { first, count: 1, data: writer.data };
}

/** A cheap hash: most terms differ in their length, or their first or last character. */
function keyOf(text: string, start: number, end: number): number {
  return ((end - start) * 65_536 + text.charCodeAt(start)) * 65_536 + text.charCodeAt(end - 1);
}
