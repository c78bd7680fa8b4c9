// Chooses the excerpts of files that are given to the answer: the chunks that match the question best, each with as much of its
// neighbourhood as the budget allows, because an answer often begins in one chunk and ends in the next.
import type { Token } from '../../analysis/domain/analyzer.js';
import { bestStart } from '../../searching/domain/snippet.js';
import { pageLinesOf } from '../../text-index/regions.domain.js';
import { endOfCharacter, startOfCharacter } from '../../searching/domain/whole-characters.js';
import { estimateTokens } from '../../providers/estimate-tokens.domain.js';
import { EXCERPT_TOKENS_MAX, type Excerpt, type RelevantText } from './excerpt.js';
import { joinChunks, placeOf } from './join-chunks.js';
import type { QuestionTerms, QuestionWords } from './question-terms.js';
import { rankChunks, type RankedChunk } from './rank-chunks.js';

/**
 * The limit for all excerpts together. It fits into a context of 8,000 tokens with the prompt and an answer, even if the estimate is half
 * of the true count.
 */
const TOKENS_MAX = 3_000;
/** When a chunk is cut to fit, the cut begins this share of the length before the best match. */
const LEAD_SHARE = 0.2;

/** Chunks `from` to `to` (inclusive) of a file. */
interface Range extends Omit<RankedChunk, 'at'> {
  from: number;
  to: number;
  tokens: number;
}

/** Returns the best excerpts first. Returns none when no text is relevant to the question. */
export async function chooseExcerpts(
  files: readonly RelevantText[],
  words: QuestionWords,
  countMax: number,
): Promise<Excerpt[]> {
  const ranges = chooseRanges(await rankChunks(files, words), countMax);
  grow(ranges);
  return ranges.map((range) => excerptOf(range, words));
}

function chooseRanges(ranked: readonly RankedChunk[], countMax: number): Range[] {
  const ranges: Range[] = [];
  const texts = new Set<string>();
  for (const { file, at, score } of ranked) {
    const text = file.chunks[at]?.text ?? '';
    const near = ranges.find((range) => range.file === file && at >= range.from - 1 && at <= range.to + 1);
    // The same text may be stored in several files.
    if ((!near && ranges.length === countMax) || texts.has(text)) continue;
    texts.add(text);
    const tokens = Math.min(tokensIn(text), EXCERPT_TOKENS_MAX);
    if (tokensOf(ranges) + tokens > TOKENS_MAX && ranges.length > 0) break;
    if (near && near.tokens + tokens <= EXCERPT_TOKENS_MAX) extend(near, at, tokens);
    else if (ranges.length < countMax) ranges.push({ file, from: at, to: at, score, tokens });
  }
  return ranges;
}

function extend(range: Range, at: number, tokens: number): void {
  range.from = Math.min(range.from, at);
  range.to = Math.max(range.to, at);
  range.tokens += tokens;
}

const tokensOf = (ranges: readonly Range[]) => ranges.reduce((sum, { tokens }) => sum + tokens, 0);

/** Counts the tokens of a chunk, including the text that joins it to the next chunk. */
const tokensIn = (text: string) => estimateTokens(text) + 1;

/** Adds neighbours to each range in rounds: the next chunk, then the one before. */
function grow(ranges: readonly Range[]): void {
  let left = TOKENS_MAX - tokensOf(ranges);
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const range of ranges) {
      for (const at of [range.to + 1, range.from - 1]) {
        const chunk = range.file.chunks[at];
        const isTaken = ranges.some(({ file, from, to }) => file === range.file && at >= from && at <= to);
        if (!chunk || isTaken) continue;
        const tokens = tokensIn(chunk.text);
        if (tokens > left || range.tokens + tokens > EXCERPT_TOKENS_MAX) continue;
        extend(range, at, tokens);
        left -= tokens;
        hasGrown = true;
      }
    }
  }
}

function excerptOf({ file, from, to, score }: Range, words: QuestionWords): Excerpt {
  const chunks = file.chunks.slice(from, to + 1);
  const [first] = chunks;
  const last = chunks.at(-1);
  if (!first || !last) throw new Error('a range without chunks');
  const { fileId, language, filename } = file;
  const { headings } = first;
  const whole = joinChunks(chunks);
  const { text, offset } = cutToFit(whole.text, words.in(language));
  const { start, end: endOfText, page } = placeOf(whole.places, offset, offset + text.length);
  const end = text.length === whole.text.length ? last.end : endOfText;
  const places = whole.places.map((place) => ({ ...place, at: place.at - offset }));
  const lines = pageLinesOf(chunks);
  return { fileId, language, filename, text, places, lines, start, end, page, headings, score };
}

/** The part of a text around the best matches that has at most the tokens of an excerpt. */
function cutToFit(text: string, terms: QuestionTerms): { text: string; offset: number } {
  if (estimateTokens(text) <= EXCERPT_TOKENS_MAX) return { text, offset: 0 };
  const matches = terms.finder.find(text);
  let cut = { text, offset: 0 };
  // Tokens are not spread evenly over a text of several scripts.
  for (let tokens = estimateTokens(text); tokens > EXCERPT_TOKENS_MAX; tokens = estimateTokens(cut.text)) {
    cut = cutTo(text, Math.floor((cut.text.length * EXCERPT_TOKENS_MAX) / tokens), matches, terms);
  }
  return cut;
}

function cutTo(
  text: string,
  length: number,
  matches: readonly Token[],
  terms: QuestionTerms,
): ReturnType<typeof cutToFit> {
  const best = matches.length === 0 ? 0 : bestStart(matches, terms.weights, length * (1 - LEAD_SHARE));
  const wanted = Math.max(Math.min(best - length * LEAD_SHARE, text.length - length), 0);
  const offset = endOfCharacter(text, Math.floor(wanted));
  return { text: text.slice(offset, startOfCharacter(text, offset + length)), offset };
}
