// The expected result of a search: BM25 computed over every passage of every file, without an index.
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../analysis/domain/analyzer.js';
import { indexTerm } from '../analysis/domain/index-term.js';
import { B, K1, TITLE_WEIGHT } from '../searching/domain/bm25.js';
import { wordGroupsOf } from '../matching/word-groups.domain.js';
import { searchQueryOf } from '../searching/domain/search-query.js';
import { chunkPassage, titlePassage, titleText, type Passage } from '../analysis/domain/passage.js';

export interface KnownFile {
  fileId: string;
  title: string | null;
  filename: string;
  space: string;
  contentType: string | null;
  metadata: Record<string, string>;
  language: TextLanguage;
  chunks: readonly string[];
}

export interface ExhaustiveResult {
  fileId: string;
  score: number;
}

export interface KnownFilter {
  space?: string;
  content_type?: string;
  metadata?: Record<string, string>;
}

interface Passages {
  title: Passage;
  chunks: Passage[];
  /** The words of each passage, separated by spaces. */
  texts: string[];
}

const spaced = (words: Iterable<string>) => ` ${[...words].join(' ')} `;

/** Each file is analyzed once, however often it is ranked. */
const analyzed = new WeakMap<KnownFile, Passages>();

function passagesOf(file: KnownFile): Passages {
  const known = analyzed.get(file);
  if (known) return known;
  const passages = {
    title: titlePassage(file.title, file.filename, file.language),
    chunks: file.chunks.map((text) => chunkPassage(text, file.language)),
    texts: [titleText(file.title, file.filename), ...file.chunks].map((text) =>
      spaced(analyzerOf(file.language).wordsOfText(text)),
    ),
  };
  analyzed.set(file, passages);
  return passages;
}

/** The title and the chunks. */
export function passagesIn(file: KnownFile): Passage[] {
  const { title, chunks } = passagesOf(file);
  return [title, ...chunks];
}

function passes(file: KnownFile, { space, content_type, metadata = {} }: KnownFilter): boolean {
  if (space !== undefined && file.space !== space) return false;
  if (content_type !== undefined && file.contentType !== content_type) return false;
  return Object.entries(metadata).every(([key, value]) => file.metadata[key] === value);
}

/**
 * Returns all matching files, the best first. `ghosts` are removed versions of files that still count in the statistics. `languages` are
 * the languages in which files of the tenant were ever indexed. `frequencyOf`: the passages that an index counts for a term, if it does not forget
 * removed ones at once.
 */
export function rankExhaustively(
  files: readonly KnownFile[],
  ghosts: readonly KnownFile[],
  query: string,
  filter: KnownFilter,
  languages: readonly TextLanguage[],
  frequencyOf?: (term: string) => number,
): { ranked: ExhaustiveResult[]; scoreMax: number } {
  const counted = [...files, ...ghosts].map(passagesOf);
  const titles = counted.map(({ title }) => title).filter(({ length }) => length > 0);
  const chunks = counted.flatMap((file) => file.chunks).filter(({ length }) => length > 0);
  const average = (passages: readonly Passage[]) =>
    passages.reduce((sum, { length }) => sum + length, 0) / Math.max(passages.length, 1);
  const averages = { title: average(titles), chunk: average(chunks) };
  const { terms, words, clauses } = searchQueryOf(query, languages);
  const meetsClauses = (file: KnownFile) =>
    clauses.every(({ variants, excluded }) => {
      const variant = variants.find(({ language }) => language === file.language);
      const isIn = (text: string) => variant !== undefined && text.includes(spaced(variant.words));
      return passagesOf(file).texts.some(isIn) !== excluded;
    });
  const weights = words.map(({ repeats, terms: positions }) => {
    const forms = positions.map((position) => terms[position]).filter((term) => term !== undefined);
    const inIndex = forms.map(({ language, term }) => indexTerm(language, term));
    const holding = frequencyOf
      ? inIndex.reduce((sum, term) => sum + frequencyOf(term), 0)
      : [...titles, ...chunks].filter((passage) => inIndex.some((term) => passage.repeats.has(term))).length;
    const total = Math.max(titles.length + chunks.length, holding);
    const idf = Math.log(1 + (total - holding + 0.5) / (holding + 0.5));
    return { inIndex, weight: idf * repeats };
  });
  const scoreOf = (passage: Passage, averageLength: number) =>
    weights.reduce((sum, { inIndex, weight }) => {
      const repeats = Math.max(0, ...inIndex.map((term) => passage.repeats.get(term) ?? 0));
      if (repeats === 0) return sum;
      const saturation = K1 * (1 - B + (B * passage.length) / averageLength);
      return sum + (weight * (K1 + 1) * repeats) / (repeats + saturation);
    }, 0);
  const scoreMax = (K1 + 1) * (1 + TITLE_WEIGHT) * weights.reduce((sum, { weight }) => sum + weight, 0);
  const ranked = files
    .filter((file) => passes(file, filter) && meetsClauses(file))
    .map((file) => {
      const passages = passagesOf(file);
      const best = Math.max(0, ...passages.chunks.map((chunk) => scoreOf(chunk, averages.chunk)));
      return { fileId: file.fileId, score: best + TITLE_WEIGHT * scoreOf(passages.title, averages.title) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score);
  return { ranked, scoreMax };
}

/** Reads each file, and returns the files that pass the filter and contain all words of the text. */
export function matchExhaustively(files: readonly KnownFile[], text: string, filter: KnownFilter): KnownFile[] {
  return files.filter((file) => {
    const { title, chunks } = passagesOf(file);
    const hasTerm = (term: string) => [title, ...chunks].some(({ repeats }) => repeats.has(term));
    const groups = wordGroupsOf(text, file.language);
    return passes(file, filter) && groups.length > 0 && groups.every((group) => group.some(hasTerm));
  });
}
