// What a search found, before it is shown.
import type { FileDetails, NotServed, SearchResult } from '@kiln/contracts';
import type { FoundContent } from '../../text-index/indexed-text.domain.js';
import type { QueryTerm } from './search-query.js';

export interface FoundChunk {
  readonly fileId: string;
  /** The index of the chunk in its file. */
  readonly chunk: number;
  /** From 0 to 1. */
  readonly score: number;
  readonly scores: NonNullable<SearchResult['scores']>;
  /** Null when the file was deleted or replaced before its text was read. */
  readonly content: FoundContent | null;
}

export interface Found {
  mode: 'text' | 'vector' | 'hybrid';
  /** The best first. */
  chunks: readonly FoundChunk[];
  total: number;
  /** The words to mark, and how much each counts. */
  terms: readonly QueryTerm[];
  weights: readonly number[];
  notServed: readonly NotServed[];
  /** What the files are, if that is known already. */
  details?: ReadonlyMap<string, FileDetails> | undefined;
}

/** How many files the chunks are of. */
export const filesIn = (chunks: readonly Pick<FoundChunk, 'fileId'>[]): number =>
  new Set(chunks.map(({ fileId }) => fileId)).size;

/** At most `count` chunks of each file, in the same order. */
export function bestOfEach<Chunk extends Pick<FoundChunk, 'fileId'>>(chunks: readonly Chunk[], count: number): Chunk[] {
  const seen = new Map<string, number>();
  return chunks.filter(({ fileId }) => {
    const ofFile = (seen.get(fileId) ?? 0) + 1;
    seen.set(fileId, ofFile);
    return ofFile <= count;
  });
}

/** Returns the chunks, then the chunks in `others` that belong to other files. */
export function withOthers<Chunk extends Pick<FoundChunk, 'fileId'>>(
  chunks: readonly Chunk[],
  others: readonly Chunk[],
): Chunk[] {
  const known = new Set(chunks.map(({ fileId }) => fileId));
  return [...chunks, ...others.filter(({ fileId }) => !known.has(fileId))];
}

export const keyOf = ({ fileId, chunk }: Pick<FoundChunk, 'fileId' | 'chunk'>) => `${fileId} ${chunk}`;
