// Writes an answer from excerpts, with its sources and citations.
import {
  encodeId,
  NO_SOURCES,
  type AnswerCitation,
  type AnswerEnding,
  type AnswerSchema,
  type AnswerSource,
} from '@kiln/contracts';
import type { ChatUsage } from '@kiln/model-clients/chat/chat-model';
import { makeSnippet } from '../searching/domain/snippet.js';
import { regionsOfExcerpt, regionsOfQuote } from '../text-index/regions.domain.js';
import type { AnswerEnd, Answerer, Question } from './answerer.port.js';
import type { ChatAnswerer } from './chat-answerer.adapter.js';
import { CitationNumbers } from './domain/citations.js';
import { Evidence } from './domain/evidence.js';
import type { Excerpt } from './domain/excerpt.js';
import { placeOf } from './domain/join-chunks.js';
import { proveJson } from './domain/json-answer.js';
import { NOTHING_FOUND } from './domain/prompt.js';
import type { QuestionWords } from './domain/question-terms.js';
import { ShownAnswer, type ShownCitation } from './domain/shown-answer.js';

/** A question, and the excerpts that answer it. */
export interface Asked {
  question: Question;
  excerpts: readonly Excerpt[];
  signal: AbortSignal;
}

type Ending = Omit<AnswerEnding, 'model' | 'usage'> & { usage: ChatUsage | null };

/** Yields the parts of an answer in words. */
export async function* writeText(
  answerer: Answerer,
  { question, excerpts, signal }: Asked,
): AsyncGenerator<{ content: string }, Ending> {
  const shown = new ShownAnswer(excerpts, answerer.model !== null);
  const { isWhole, usage } = yield* contentsOf(answerer.answer(question, excerpts, signal), shown);
  return {
    sources: sourcesOf(shown.cited, excerpts, question.words),
    citations: shown.citations().map((citation) => citationOf(citation, excerpts)),
    omitted_statements: shown.omittedStatements,
    usage,
    ...(!isWhole && { truncated: true as const }),
  };
}

/** Yields an answer in JSON, as one part. */
export async function* writeJson(
  answerer: ChatAnswerer,
  schema: AnswerSchema,
  { question, excerpts, signal }: Asked,
): AsyncGenerator<{ content: string }, Ending> {
  const { value, usage } = await answerer.answerAsJson(question.text, excerpts, schema, signal);
  const { text, citations, unsupported } = await proveJson(value, new Evidence(excerpts));
  // An answer that cites nothing is no answer.
  if (citations.length === 0) {
    yield { content: NOTHING_FOUND };
    return { ...NO_SOURCES, json: null, usage };
  }
  yield { content: text };
  const numbers = new CitationNumbers();
  const cited = citations.map(({ support: { excerpt, quote }, ...place }) => ({
    ...citationOf({ citation: numbers.of(excerpt), excerpt, quote, ...place }, excerpts),
    pointer: place.pointer,
  }));
  const sources = sourcesOf(numbers.cited, excerpts, question.words);
  return { sources, citations: cited, omitted_statements: 0, json: value, unsupported, usage };
}

async function* contentsOf(
  pieces: AsyncGenerator<string, AnswerEnd>,
  shown: ShownAnswer,
): AsyncGenerator<{ content: string }, AnswerEnd> {
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      const content = done ? shown.end() : shown.add(value);
      if (content !== '') yield { content };
      if (done) return value;
    }
  } finally {
    // A caller that leaves stops reading.
    await pieces.return({ isWhole: false, usage: null });
  }
}

const sourcesOf = (cited: readonly number[], excerpts: readonly Excerpt[], words: QuestionWords) =>
  cited.map((position, at) => sourceOf(excerpts[position] as Excerpt, at + 1, words));

function sourceOf(
  { fileId, language, filename, text, lines, start, end, page, score }: Excerpt,
  citation: number,
  words: QuestionWords,
): AnswerSource {
  const id = encodeId('file', fileId);
  const { weights, finder } = words.in(language);
  const snippet = makeSnippet(text, weights, finder);
  const regions = regionsOfExcerpt(lines, { start, end });
  return { citation, file_id: id, fileId: id, filename, snippet, score, start, end, page, regions };
}

function citationOf(
  { citation, position, excerpt, quote }: ShownCitation,
  excerpts: readonly Excerpt[],
): AnswerCitation {
  const { places = [], lines = [] } = excerpts[excerpt] ?? {};
  if (quote === null) return { citation, position, quote };
  const { start, end, page } = placeOf(places, quote.start, quote.end);
  const regions = regionsOfQuote(lines, { start, end });
  return { citation, position, quote: { text: quote.text, start, end, page: regions[0]?.page ?? page, regions } };
}
