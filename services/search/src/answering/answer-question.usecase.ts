import {
  encodeId,
  NO_SOURCES,
  type AnswerCitation,
  type AnswerEnding,
  type AnswerSource,
  type OperationInput,
  type searchOperations,
} from '@kiln/contracts';
import { weightOfWords, type StreamContext } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { makeSnippet } from '../searching/domain/snippet.js';
import { TEXT_INDEX, type TextIndex } from '../text-index/text-index.port.js';
import type { AnswerEnd, Usage } from './answerer.port.js';
import { Answerers } from './answerers.service.js';
import { chooseExcerpts } from './domain/choose-excerpts.js';
import type { Excerpt, RelevantText } from './domain/excerpt.js';
import { placeOf } from './domain/join-chunks.js';
import { NOTHING_FOUND } from './domain/prompt.js';
import type { QuestionWords } from './domain/question-terms.js';
import { ShownAnswer, type ShownCitation } from './domain/shown-answer.js';
import { RankForQuestion, type FoundChunk, type QuestionRanking } from './question-ranking.service.js';

type Input = OperationInput<typeof searchOperations.answer>;
type Parts = AsyncGenerator<{ content: string }, AnswerEnding>;

/**
 * The maximum number of files, and of chunks found by meaning, whatever `top_k` is. Several of the best chunks may be in one file, or
 * repeated in several.
 */
const FOUND_MAX = 10;

@Injectable()
export class AnswerQuestion {
  constructor(
    private readonly ranking: RankForQuestion,
    @Inject(TEXT_INDEX) private readonly index: Pick<TextIndex, 'readAround'>,
    private readonly answerers: Answerers,
  ) {}

  /** Yields the answer in parts, and returns its sources and citations. Asks no model for an answer when no text is relevant. */
  async *execute(input: Input, context: StreamContext): Parts {
    const answerer = await this.answerers.for(context, input);
    const rewritten = input.history?.length
      ? await answerer.rewrite(input.question, input.history, context.signal)
      : null;
    const question = rewritten?.text ?? input.question;
    const about = rewritten && { rewritten_question: question };
    const { excerpts, words } = await context.asHeavy(weightOfWords(question), () =>
      this.retrieve({ ...input, question }, context),
    );
    if (excerpts.length === 0) {
      yield { content: NOTHING_FOUND };
      return { ...NO_SOURCES, ...about, usage: usageOf(rewritten?.usage) };
    }
    const shown = new ShownAnswer(excerpts, answerer.model !== null);
    const pieces = answerer.answer({ text: question, words }, excerpts, context.signal);
    const { isWhole, usage } = yield* contentsOf(pieces, shown);
    return {
      sources: shown.cited.map((position, at) => sourceOf(excerpts[position] as Excerpt, at + 1, words)),
      citations: shown.citations().map((citation) => citationOf(citation, excerpts[citation.excerpt] as Excerpt)),
      omitted_statements: shown.omittedStatements,
      model: answerer.model,
      usage: usageOf(rewritten?.usage, usage),
      ...about,
      ...(!isWhole && { truncated: true as const }),
    };
  }

  private async retrieve(
    { question, top_k: excerptsMax, space, content_type: contentType, metadata }: Input,
    context: StreamContext,
  ) {
    const found = await this.ranking.rank(context, question, { space, contentType, metadata }, FOUND_MAX);
    const { words } = found;
    return { excerpts: await chooseExcerpts(await this.read(context.tenantId, found), words, excerptsMax), words };
  }

  private async read(tenantId: string, { byWords, byMeaning }: QuestionRanking): Promise<RelevantText[]> {
    const texts = await this.index.readAround(tenantId, [...byWords, ...byMeaning]);
    const scoresIn = (found: readonly FoundChunk[], fileId: string) =>
      new Map(found.filter((chunk) => chunk.fileId === fileId).map(({ index, score }) => [index, score]));
    return texts.map((text) => ({
      ...text,
      byWords: scoresIn(byWords, text.fileId),
      byMeaning: scoresIn(byMeaning, text.fileId),
    }));
  }
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

/** The sum. Null when nothing was counted. */
function usageOf(...usages: (Usage | null | undefined)[]): AnswerEnding['usage'] {
  const counted = usages.filter((usage) => usage !== null && usage !== undefined);
  if (counted.length === 0) return null;
  return {
    prompt_tokens: counted.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    completion_tokens: counted.reduce((sum, { answerTokens }) => sum + answerTokens, 0),
  };
}

function sourceOf(
  { fileId, language, filename, text, ...rest }: Excerpt,
  citation: number,
  words: QuestionWords,
): AnswerSource {
  const id = encodeId('file', fileId);
  const { start, end, page, score } = rest;
  const { weights, finder } = words.in(language);
  const snippet = makeSnippet(text, weights, finder);
  return { citation, file_id: id, fileId: id, filename, snippet, score, start, end, page };
}

function citationOf({ citation, position, quote }: ShownCitation, { places }: Excerpt): AnswerCitation {
  if (quote === null) return { citation, position, quote };
  return { citation, position, quote: { text: quote.text, ...placeOf(places, quote.start, quote.end) } };
}
