// Ranks the chunks that may answer a question, by its words and by its meaning, and fuses both rankings by reciprocal rank (Cormack, Clarke and
// Büttcher, SIGIR 2009): a chunk's score is the sum of weight / (60 + rank) over the rankings that contain it.
import { EventLoopBudget } from '@kiln/platform';
import { TITLE_WEIGHT } from '../../searching/domain/bm25.js';
import type { Chunk } from '../../text-index/indexed-text.domain.js';
import { estimateTokens } from '../../providers/estimate-tokens.domain.js';
import { EXCERPT_TOKENS_MAX, type RelevantText } from './excerpt.js';
import type { QuestionTerms, QuestionWords } from './question-terms.js';

const RANK_CONSTANT = 60;
/** Candidates by meaning are near enough to be reliable. */
const WORDS_WEIGHT = 1;
const MEANING_WEIGHT = 0.8;
/** One text must reach the full relevance. The other texts must reach this share of it. */
const FURTHER_SHARE = 0.5;

export interface RankedChunk {
  file: RelevantText;
  /** The position of the chunk in `file.chunks`. */
  at: number;
  /** From 0 to 1. */
  score: number;
}

interface Candidate extends Omit<RankedChunk, 'score'> {
  /** Null when too few words match. */
  byWords: number | null;
  relevance: number;
  byMeaning: number | null;
}

/** Returns the best chunks first. Returns none when no chunk is relevant. */
export async function rankChunks(files: readonly RelevantText[], words: QuestionWords): Promise<RankedChunk[]> {
  const found = await candidatesOf(files, words);
  const isAnswered = found.some(({ relevance }) => relevance >= 1);
  const candidates = isAnswered ? found : found.map((candidate) => ({ ...candidate, byWords: null }));
  const fused = new Map<Candidate, number>();
  for (const [name, weight] of [['byWords', WORDS_WEIGHT] as const, ['byMeaning', MEANING_WEIGHT] as const]) {
    const ranked = candidates.filter((candidate) => candidate[name] !== null);
    ranked.sort((one, other) => (other[name] ?? 0) - (one[name] ?? 0));
    for (const [rank, candidate] of ranked.entries()) {
      fused.set(candidate, (fused.get(candidate) ?? 0) + weight / (RANK_CONSTANT + rank + 1));
    }
  }
  return [...fused]
    .toSorted(([, one], [, other]) => other - one)
    .map(([{ file, at, byWords, byMeaning }]) => ({ file, at, score: Math.max(byWords ?? 0, byMeaning ?? 0) }));
}

async function candidatesOf(files: readonly RelevantText[], words: QuestionWords): Promise<Candidate[]> {
  const budget = new EventLoopBudget();
  const lengths = files.flatMap(({ chunks }) => chunks.map(({ text }) => text.length));
  const averageLength = Math.max(lengths.reduce((sum, length) => sum + length, 0) / Math.max(lengths.length, 1), 1);
  const candidates: Candidate[] = [];
  for (const file of files) {
    const terms = words.in(file.language);
    const inTitle = terms.repeatsIn(file.title);
    const repeats: Repeats[] = [];
    for (const { text } of file.chunks) {
      if (budget.isSpent) await budget.renew();
      repeats.push(terms.repeatsIn(text));
    }
    for (const [at, chunk] of file.chunks.entries()) {
      if (budget.isSpent) await budget.renew();
      const near = neighboursOf(file.chunks, at).flatMap((other) => [...(repeats[other]?.keys() ?? [])]);
      const scoring = { terms, inTitle, averageLength, near, repeats: repeats[at] ?? new Map<string, number>() };
      const scored = scoreOf(chunk, file.byWords.get(chunk.index), scoring);
      const byMeaning = file.byMeaning.get(chunk.index) ?? null;
      if (scored.byWords !== null || byMeaning !== null) candidates.push({ file, at, byMeaning, ...scored });
    }
  }
  return candidates;
}

/** How often a text contains each term. */
type Repeats = ReadonlyMap<string, number>;

interface Scoring {
  terms: QuestionTerms;
  inTitle: Repeats;
  averageLength: number;
  repeats: Repeats;
  /** The terms in the neighbours from which the answer is made, too. */
  near: readonly string[];
}

/** The positions of the next chunk and the one before, if an excerpt has room for them. */
function neighboursOf(chunks: readonly Chunk[], at: number): number[] {
  let tokens = estimateTokens(chunks[at]?.text ?? '');
  return [at + 1, at - 1].filter((other) => {
    const text = chunks[other]?.text;
    if (text === undefined || tokens + estimateTokens(text) > EXCERPT_TOKENS_MAX) return false;
    tokens += estimateTokens(text);
    return true;
  });
}

const NO_WORDS = { byWords: null, relevance: 0 };

/** `ofSearch` is the score of the file, if the chunk is the best of the file. */
function scoreOf(
  { text, headings }: Chunk,
  ofSearch: number | undefined,
  { terms, inTitle, averageLength, repeats, near }: Scoring,
): Pick<Candidate, 'byWords' | 'relevance'> {
  // The title alone makes a file relevant, but not each of its chunks.
  if (repeats.size === 0 && ofSearch === undefined) return NO_WORDS;
  const inHeadings = headings.flatMap((heading) => [...terms.repeatsIn(heading).keys()]);
  const relevance = terms.relevanceOf(new Set([...repeats.keys(), ...near, ...inTitle.keys(), ...inHeadings]));
  if (relevance < FURTHER_SHARE) return NO_WORDS;
  const titleScore = terms.score(new Map([...inTitle.keys()].map((term) => [term, 1])), 1);
  const own = terms.score(repeats, text.length / averageLength);
  const byWords = Math.min(Math.max((own + TITLE_WEIGHT * titleScore) / (1 + TITLE_WEIGHT), ofSearch ?? 0), 1);
  return { byWords, relevance };
}
