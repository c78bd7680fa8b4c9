// Files like those of text collections: words by Zipf's law, a title and four chunks per file, one in a hundred in a separate space.

export interface GeneratedPassage {
  /** The frequency of each term in the passage. */
  repeats: ReadonlyMap<string, number>;
  length: number;
}

export interface GeneratedFile {
  title: GeneratedPassage;
  chunks: GeneratedPassage[];
  space: string;
}

export const CHUNKS_PER_FILE = 4;
export const PASSAGES_PER_FILE = CHUNKS_PER_FILE + 1;
export const RARE_SPACE = 'rare';
const VOCABULARY = 200_000;
const TITLE_WORDS = 5;
const CHUNK_WORDS = 60;

/** A deterministic random number generator from 0 to 1: mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Words with digits, which no stemmer changes. */
const terms = Array.from({ length: VOCABULARY }, (_, rank) => `w${rank}`);

/** The density of ranks falls as 1 / rank. The first 20 are left out, like stop words. */
export function randomTerm(random: () => number): string {
  return terms[Math.floor(20 * (VOCABULARY / 20) ** random()) % VOCABULARY] ?? 'w0';
}

function passage(random: () => number, words: number): GeneratedPassage {
  const repeats = new Map<string, number>();
  for (let word = 0; word < words; word++) {
    const term = randomTerm(random);
    repeats.set(term, (repeats.get(term) ?? 0) + 1);
  }
  return { repeats, length: words };
}

export function* generateFiles(passages: number, seed: number): Generator<GeneratedFile> {
  const random = randomNumbers(seed);
  for (let file = 0; file < passages / PASSAGES_PER_FILE; file++) {
    const chunks = Array.from({ length: CHUNKS_PER_FILE }, () => passage(random, CHUNK_WORDS));
    yield { title: passage(random, TITLE_WORDS), chunks, space: file % 100 === 37 ? RARE_SPACE : 'main' };
  }
}
