// The text that an answer is made from. An excerpt is some consecutive chunks of a file, joined; it is a source once the answer cites it.
import type { TextLanguage } from '@kiln/contracts';

export interface Chunk {
  /** The position in its file. */
  readonly index: number;
  readonly text: string;
  /** Offsets in the text of the file, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  /** The headings above the chunk, the outermost first. */
  readonly headings: readonly string[];
}

/** Consecutive chunks of a file, in order. */
export interface RelevantText {
  readonly fileId: string;
  readonly language: TextLanguage;
  readonly filename: string;
  /** Title and filename. */
  readonly title: string;
  readonly chunks: readonly Chunk[];
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
