// The text that an answer is made from. An excerpt is some consecutive chunks of a file, joined; it is a source once the answer cites it.
import type { TextLanguage } from '@kiln/contracts';
import type { ChunkRun } from '../../text-index/text-index.port.js';

/** Chunks that were read, and how they were found. */
export interface RelevantText extends ChunkRun {
  /** How well chunks match by words, from 0 to 1, by their index: the best chunk of the file. */
  readonly byWords: ReadonlyMap<number, number>;
  /** How near chunks are to the meaning of the question, from 0 to 1, by their index. */
  readonly byMeaning: ReadonlyMap<number, number>;
}

export interface Excerpt {
  readonly fileId: string;
  readonly language: TextLanguage;
  readonly filename: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  readonly headings: readonly string[];
  /** From 0 to 1. */
  readonly score: number;
}
