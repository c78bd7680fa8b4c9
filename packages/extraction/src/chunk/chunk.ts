/**
 * Cuts a text into overlapping pieces for search and embedding. Every chunk is an exact slice of the text
 * (`text.slice(start, end) === chunk.text`), nothing but white space is left out, and the work is linear, one chunk at
 * a time, so that a 60 MiB text streams through.
 */
import type { PageSpan } from '../extractor.js';
import { HeadingTrail } from './heading-trail.js';
import { PageFinder } from './page-finder.js';
import type { Piece } from './piece.js';
import { recursivePieces } from './recursive-pieces.js';
import { fixedPieces } from './fixed-pieces.js';
import { markdownPieces } from './markdown-pieces.js';
import { sentencePieces } from './sentence-pieces.js';

/**
 * `recursive`: at the strongest boundary that fits (paragraph, line, sentence, word).
 * `markdown`: never across headings; tables keep their header by `prefix`.
 * `sentence`: whole sentences. `fixed`: every `chunkSize` characters, wherever that is.
 */
export type ChunkStrategy = 'recursive' | 'markdown' | 'sentence' | 'fixed';

export interface ChunkOptions {
  strategy: ChunkStrategy;
  /** Longest chunk, in UTF-16 units; at least 2, so that a surrogate pair fits. */
  chunkSize: number;
  /** Most text repeated from the chunk before; at most half of `chunkSize`. */
  chunkOverlap: number;
  /** Where pages lie in the text, in order. */
  pages?: readonly PageSpan[];
}

export interface Chunk {
  index: number;
  text: string;
  start: number;
  end: number;
  /** The page the chunk begins on. */
  page: number | null;
  /** Headings above the chunk's beginning, outermost first. */
  headingPath: string[];
  /** A table's header rows, when the chunk continues the table without them: to be put before `text`, never in it. */
  prefix?: string;
}

const strategies: Readonly<Record<ChunkStrategy, (text: string, size: number, overlap: number) => Generator<Piece>>> = {
  recursive: recursivePieces,
  markdown: markdownPieces,
  sentence: sentencePieces,
  fixed: fixedPieces,
};

/** @throws RangeError for sizes that cannot be kept. */
export function* chunk(text: string, options: ChunkOptions): Generator<Chunk> {
  const { strategy, chunkSize, chunkOverlap } = options;
  if (!Number.isInteger(chunkSize) || chunkSize < 2)
    throw new RangeError('chunkSize must be a whole number of at least 2.');
  if (!Number.isInteger(chunkOverlap) || chunkOverlap < 0 || chunkOverlap > chunkSize / 2)
    throw new RangeError('chunkOverlap must be a whole number between 0 and half of chunkSize.');
  const headings = new HeadingTrail(text);
  const pages = new PageFinder(options.pages ?? []);
  let index = 0;
  for (const piece of strategies[strategy](text, chunkSize, chunkOverlap)) {
    yield {
      index: index++,
      text: text.slice(piece.start, piece.end),
      start: piece.start,
      end: piece.end,
      page: pages.pageAt(piece.start),
      headingPath: headings.pathAt(piece.start),
      ...(piece.prefix === undefined ? {} : { prefix: piece.prefix }),
    };
  }
}
