/**
 * Cuts a text into overlapping chunks for search and embedding. Each chunk is an exact slice of the text
 * (`text.slice(start, end) === chunk.text`). Only white space is left out. A generator yields one chunk at a time in
 * linear time, so a text of 60 MiB needs little memory.
 */
import type { PageSpan } from '@kiln/pdf/markdown/paged-text';
import { HeadingTrail } from './heading-trail.js';
import { type ChunkLines, LineFinder } from './line-finder.js';
import { PageFinder } from './page-finder.js';
import type { Piece } from './piece.js';
import { recursivePieces } from './recursive-pieces.js';
import { fixedPieces } from './fixed-pieces.js';
import { markdownPieces } from './markdown-pieces.js';
import { sentencePieces } from './sentence-pieces.js';

/**
 * `recursive`: ends at the strongest boundary that fits (paragraph, line, sentence, word).
 * `markdown`: does not cross headings. Chunks of a table get its header as `prefix`.
 * `sentence`: whole sentences. `fixed`: every `chunkSize` characters, also within a word.
 */
export type ChunkStrategy = 'recursive' | 'markdown' | 'sentence' | 'fixed';

export interface ChunkOptions {
  strategy: ChunkStrategy;
  /** The maximum length of a chunk, in UTF-16 units. At least 2, so that a surrogate pair fits. */
  chunkSize: number;
  /** The maximum length of text that a chunk repeats from the previous one. At most half of `chunkSize`. */
  chunkOverlap: number;
  /** The positions of the pages in the text, in order. */
  pages?: readonly PageSpan[];
}

export interface Chunk {
  index: number;
  text: string;
  start: number;
  end: number;
  /** The page on which the chunk begins. */
  page: number | null;
  /** Where its text stands on its pages. Empty when that is not known. */
  lines: ChunkLines;
  /** Headings above the chunk's beginning, outermost first. */
  headingPath: string[];
  /** The header of a table that the chunk continues. It belongs before `text` and is not part of it. */
  prefix?: string;
}

const strategies: Readonly<Record<ChunkStrategy, (text: string, size: number, overlap: number) => Generator<Piece>>> = {
  recursive: recursivePieces,
  markdown: markdownPieces,
  sentence: sentencePieces,
  fixed: fixedPieces,
};

/** @throws RangeError for invalid sizes. */
export function* chunk(text: string, options: ChunkOptions): Generator<Chunk> {
  const { strategy, chunkSize, chunkOverlap } = options;
  if (!Number.isInteger(chunkSize) || chunkSize < 2)
    throw new RangeError('chunkSize must be a whole number of at least 2.');
  if (!Number.isInteger(chunkOverlap) || chunkOverlap < 0 || chunkOverlap > chunkSize / 2)
    throw new RangeError('chunkOverlap must be a whole number between 0 and half of chunkSize.');
  const headings = new HeadingTrail(text);
  const pages = new PageFinder(options.pages ?? []);
  const lines = new LineFinder(options.pages ?? []);
  let index = 0;
  for (const piece of strategies[strategy](text, chunkSize, chunkOverlap)) {
    yield {
      index: index++,
      text: text.slice(piece.start, piece.end),
      start: piece.start,
      end: piece.end,
      page: pages.pageAt(piece.start),
      lines: lines.linesOf(piece.start, piece.end),
      headingPath: headings.pathAt(piece.start),
      ...(piece.prefix === undefined ? {} : { prefix: piece.prefix }),
    };
  }
}
