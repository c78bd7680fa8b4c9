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

/** A file that matches the question, with chunks in order and without a gap. */
export interface RelevantFile {
  readonly fileId: string;
  readonly language: TextLanguage;
  readonly filename: string;
  /** Title and filename. */
  readonly title: string;
  /** Of the search, from 0 to 1. */
  readonly score: number;
  /** The index of the chunk that the search ranked the file by. */
  readonly bestChunk: number;
  readonly chunks: readonly Chunk[];
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
