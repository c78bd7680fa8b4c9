// The passages of a file that are not merged yet, or a part of them, packed into one text: term by term, each with its
// postings. In it, the numbers of passages are their places in the file.
//
// For each term: the number of its characters, the term, the number of postings, the number of their characters, the postings.
import { encodeNumber, NumberReader } from './compact-numbers.js';
import { isFacet } from './facet.js';
import type { Passage } from './passage.js';
import { PostingWriter, type PostingRun } from './postings.js';

export interface PlacedPassage {
  readonly place: number;
  readonly passage: Passage;
}

/** The passages must be in the order of their places. A facet's posting has no length here: it is known when the file is whole. */
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

/** Stands on one term after the other. */
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
    if (!(numbers.at <= tail.length)) throw new Error('the packed terms of a file are damaged');
    return true;
  }

  run(first: number): PostingRun {
    return { first, count: this.count, data: this.tail.slice(this.dataStart, this.numbers.at) };
  }
}

/** All terms with their postings; `first` is the number of the file's first passage. */
export function* termsOfTail(tail: string, first: number): Generator<[term: string, run: PostingRun]> {
  const reader = new TailReader(tail);
  while (reader.next()) yield [tail.slice(reader.start, reader.end), reader.run(first)];
}

/** Finds a few terms in many tails without decoding the postings of the others. */
export class TailScanner {
  private readonly wanted = new Map<number, number[]>();

  constructor(private readonly terms: readonly string[]) {
    for (const [position, term] of terms.entries()) {
      const key = keyOf(term, 0, term.length);
      this.wanted.set(key, [...(this.wanted.get(key) ?? []), position]);
    }
  }

  /** Calls `found` with the position of each wanted term that the tail holds; a facet's posting covers `places` passages. */
  scan(tail: string, first: number, places: number, found: (position: number, run: PostingRun) => void): void {
    const reader = new TailReader(tail);
    while (reader.next()) {
      const positions = this.wanted.get(keyOf(tail, reader.start, reader.end));
      if (positions === undefined) continue;
      for (const position of positions) {
        const term = this.terms[position] ?? '';
        if (!tail.startsWith(term, reader.start)) continue;
        found(position, isFacet(term) ? facetRun(first, places) : reader.run(first));
      }
    }
  }
}

export function facetRun(first: number, places: number): PostingRun {
  const writer = new PostingWriter(first);
  writer.add({ number: first, place: 0, repeats: 1, length: places });
  return { first, count: 1, data: writer.data };
}

/** The length and two characters tell most terms apart. */
function keyOf(text: string, start: number, end: number): number {
  return ((end - start) * 65_536 + text.charCodeAt(start)) * 65_536 + text.charCodeAt(end - 1);
}
