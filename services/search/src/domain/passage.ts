// What is indexed of one text: its terms as a tsvector and its length. Whatever the text, the tsvector is within
// PostgreSQL's limits (https://www.postgresql.org/docs/current/textsearch-limitations.html), so indexing never fails on it.
import { tokensOfText } from './analyzer.js';

export interface Passage {
  /** A tsvector in PostgreSQL's text form. */
  readonly vector: string;
  /** Its lexemes, each once: what counts as one passage more in the term statistics. */
  readonly lexemes: readonly string[];
  /** Terms in the text, repeats counted. */
  readonly length: number;
}

/** Positions beyond this one are all stored as this one. */
const POSITION_MAX = 16_383;
/** Repeats of one lexeme that are kept. */
const REPEATS_MAX = 255;
/** Of the 1 MiB a tsvector may take. Terms beyond it are left out; a chunk of 8,000 characters needs a tenth of it. */
const VECTOR_BYTES_MAX = 900_000;
const ENTRY_BYTES = 8;

/** From how many repeats on a passage is among the strong ones of a term, see `strongLexeme`. */
const STRONG_REPEATS = 3;

/**
 * A second lexeme that only the passages most about a term have. Where a term is too common to score every passage that
 * holds it, these alone are scored (champion lists: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 7.1.3).
 * No term begins with `+`.
 */
export const strongLexeme = (term: string) => `+${term}`;

function collect(text: string): { positions: Map<string, number[]>; length: number } {
  const positions = new Map<string, number[]>();
  let bytes = 0;
  let length = 0;
  for (const { term } of tokensOfText(text)) {
    const known = positions.get(term);
    if (!known) {
      bytes += 2 * (Buffer.byteLength(term) + ENTRY_BYTES);
      if (bytes > VECTOR_BYTES_MAX) break;
      positions.set(term, [++length]);
      continue;
    }
    length++;
    if (known.length >= REPEATS_MAX || length > POSITION_MAX) continue;
    bytes += 2;
    known.push(length);
  }
  return { positions, length };
}

function build(positions: Map<string, number[]>, length: number, isStrong: (repeats: number) => boolean): Passage {
  const lexemes: string[] = [];
  const entries: string[] = [];
  for (const [term, places] of positions) {
    lexemes.push(term);
    entries.push(`'${term}':${places.join(',')}`);
    if (!isStrong(places.length)) continue;
    lexemes.push(strongLexeme(term));
    entries.push(`'${strongLexeme(term)}'`);
  }
  return { vector: entries.join(' '), lexemes, length };
}

/** The passage of a chunk, or null when there is nothing to find in it. */
export function chunkPassage(text: string): Passage | null {
  const { positions, length } = collect(text);
  return length === 0 ? null : build(positions, length, (repeats) => repeats >= STRONG_REPEATS);
}

/** The passage of a file's title and name. A word in both counts once, and each is strong: titles say what a text is about. */
export function titlePassage(title: string | null, filename: string): Passage | null {
  const { positions } = collect(`${title ?? ''}\n${filename}`);
  const once = new Map([...positions.keys()].map((term, place) => [term, [Math.min(place + 1, POSITION_MAX)]]));
  return once.size === 0 ? null : build(once, once.size, () => true);
}
