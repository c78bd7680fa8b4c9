// Reads the distinct words of a stored markdown as a stream, for the `search` of a list. Bounded: of a longer content only the
// first words count. Full-text search covers the whole text.
import { unavailable } from '@kiln/contracts';
import { StorageError, type ObjectStore } from '@kiln/storage';
import type { Readable } from 'node:stream';
import { wordsOf } from '../files/domain/search-terms.js';

export const TEXT_BYTES_MAX = 4 * 1_048_576;
export const WORDS_MAX = 50_000;

/** Words are cut to fewer characters than this. */
const UNFINISHED_CHARACTERS_MAX = 1_000;

/** Null when the object does not exist. Throws UNAVAILABLE. */
export async function readWords(
  objects: Pick<ObjectStore, 'get'>,
  key: string,
  { sizeBytes, signal }: { sizeBytes: number; signal: AbortSignal },
): Promise<string[] | null> {
  if (sizeBytes === 0) return [];
  try {
    const range = { start: 0, end: Math.min(sizeBytes, TEXT_BYTES_MAX) - 1 };
    const { body } = await objects.get(key, { range, signal });
    return await collectWords(body);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') return null;
    throw unavailable('The object store', error);
  }
}

/** The distinct words of a text. */
export function wordsOfText(text: string): string[] {
  const words = new Set<string>();
  addWords(words, text);
  return [...words];
}

/** Reads the stream to its end or destroys it. */
async function collectWords(body: Readable): Promise<string[]> {
  const words = new Set<string>();
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body as AsyncIterable<Buffer>) {
    const text = rest + decoder.decode(piece, { stream: true });
    const end = endOfFinishedWords(text);
    rest = text.slice(end);
    if (!addWords(words, text.slice(0, end))) return [...words];
  }
  addWords(words, rest);
  return [...words];
}

/** Start of the last word, which may continue in the next chunk. */
function endOfFinishedWords(text: string): number {
  const least = Math.max(0, text.length - UNFINISHED_CHARACTERS_MAX);
  for (let at = text.length; at > least; at--) if (/\s/.test(text.charAt(at - 1))) return at;
  return least === 0 ? 0 : text.length;
}

/** False once the limit is reached. */
function addWords(words: Set<string>, text: string): boolean {
  for (const word of wordsOf(text)) {
    if (words.size >= WORDS_MAX) return false;
    words.add(word);
  }
  return true;
}
