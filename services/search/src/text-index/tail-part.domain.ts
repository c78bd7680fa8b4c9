// One row of the tail: the terms of a batch of a file's chunks, and what it adds to the totals of its tenant.
import type { ChunkLine } from '@kiln/contracts';
import type { PassageTotals } from '../searching/domain/bm25.js';
import { facetsOf } from '../postings/domain/facet.js';
import type { IndexedFile } from './indexed-text.domain.js';
import { chunkPassage, titlePassage } from '../analysis/domain/passage.js';
import { encodeTail, type PlacedPassage } from '../postings/domain/tail-data.js';

export interface TailPart {
  part: number;
  /** The highest place in the file among the row's passages. */
  lastPlace: number;
  totals: PassageTotals;
  data: string;
}

export const noTotals = (): PassageTotals => ({ chunks: 0, chunkLength: 0, titles: 0, titleLength: 0 });

export function addTotals(sum: PassageTotals, { chunks, chunkLength, titles, titleLength }: PassageTotals): void {
  sum.chunks += chunks;
  sum.chunkLength += chunkLength;
  sum.titles += titles;
  sum.titleLength += titleLength;
}

export const columnsOf = ({ chunks, chunkLength, titles, titleLength }: PassageTotals) => [
  chunks,
  chunkLength,
  titles,
  titleLength,
];

/** Part 0 of a file also contains its title, its name and its facets. */
export function tailPart(file: IndexedFile, part: number, batch: readonly ChunkLine[]): TailPart {
  const passages: PlacedPassage[] = batch.map(({ index, text }) => ({
    place: index + 1,
    passage: chunkPassage(text, file.language),
  }));
  if (part === 0) passages.unshift({ place: 0, passage: titlePassage(file.title, file.filename, file.language) });
  const data = encodeTail(passages, part === 0 ? facetsOf(file) : []);
  return { part, lastPlace: passages.at(-1)?.place ?? 0, totals: totalsOf(passages), data };
}

/** A chunk without terms counts in no total. */
function totalsOf(passages: readonly PlacedPassage[]): PassageTotals {
  const totals = noTotals();
  for (const { place, passage } of passages) {
    if (passage.length === 0) continue;
    totals[place === 0 ? 'titles' : 'chunks']++;
    totals[place === 0 ? 'titleLength' : 'chunkLength'] += passage.length;
  }
  return totals;
}
