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
/** In most models a token is about four letters of a Latin script. */
const LETTERS_PER_TOKEN = 4;
/** Characters of scripts without spaces, and symbols, are about a token each. */
const DENSE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/** The scripts above come later in Unicode. Most texts have none of them. */
const NONE_DENSE = /^[\0-\u0dff\u2000-\u2bff]*$/;

/** How many tokens of a chat model a text has. Models differ, so a budget in these units has to leave room. */
export function estimateTokens(text: string): number {
  if (NONE_DENSE.test(text)) return Math.ceil(text.length / LETTERS_PER_TOKEN);
  const dense = text.match(DENSE)?.length ?? 0;
  return dense + Math.ceil((text.length - dense) / LETTERS_PER_TOKEN);
}
