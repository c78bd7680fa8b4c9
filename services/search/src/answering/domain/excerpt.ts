// The text from which an answer is made. An excerpt is some consecutive chunks of a file, joined. It becomes a source when the answer cites
// it.
import type { TextLanguage } from '@kiln/contracts';
import type { ConsecutiveChunks } from '../../text-index/indexed-text.domain.js';
import type { PageLine } from '../../text-index/regions.domain.js';
import type { Place } from './join-chunks.js';

/** Chunks that were read, and how they were found. */
export interface RelevantText extends ConsecutiveChunks {
  /** How well chunks match by words, from 0 to 1, by their index. Only the best chunk of the file has a value. */
  readonly byWords: ReadonlyMap<number, number>;
  /** How near chunks are to the meaning of the question, from 0 to 1, by their index. */
  readonly byMeaning: ReadonlyMap<number, number>;
}

export interface Excerpt {
  readonly fileId: string;
  readonly language: TextLanguage;
  readonly filename: string;
  readonly text: string;
  /** Where the parts of the text stand in the file. */
  readonly places: readonly Place[];
  /** Where the lines of the text stand on the pages of the file. */
  readonly lines: readonly PageLine[];
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  readonly headings: readonly string[];
  /** From 0 to 1. */
  readonly score: number;
}

/** The maximum tokens of one excerpt. */
export const EXCERPT_TOKENS_MAX = 1_000;
