import { NO_SOURCES, type AnswerEnding, type SearchInput } from '@kiln/contracts';
import type { ChatUsage } from '@kiln/model-clients/chat/chat-model';
import { weightOfWords, type StreamContext } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { searchFilterOf } from '../searching/domain/search-filter.js';
import { ChunkStore } from '../text-index/chunk.store.js';
import { sumOfUsage } from './answerer.port.js';
import { Answerers } from './answerers.service.js';
import { chooseExcerpts } from './domain/choose-excerpts.js';
import type { RelevantText } from './domain/excerpt.js';
import { NOTHING_FOUND } from './domain/prompt.js';
import { RankForQuestion, type RelevantChunk, type QuestionRanking } from './question-ranking.service.js';
import { writeJson, writeText } from './write-answer.service.js';

type Input = SearchInput<'answer'>;
type Parts = AsyncGenerator<{ content: string }, AnswerEnding>;

@Injectable()
export class AnswerQuestion {
  constructor(
    private readonly ranking: RankForQuestion,
    private readonly texts: ChunkStore,
    private readonly answerers: Answerers,
  ) {}

  /** Yields the answer in parts, and returns its sources and citations. Asks no model for an answer when no text is relevant. */
  async *execute(input: Input, context: StreamContext): Parts {
    const { answer_format: format, history = [] } = input;
    const jsonAnswerer = format ? await this.answerers.forJson(context, input) : null;
    const answerer = jsonAnswerer ?? (await this.answerers.for(context, input));
    const rewritten = history.length > 0 ? await answerer.rewrite(input.question, history, context.signal) : null;
    const question = rewritten?.text ?? input.question;
    const about = rewritten && { rewritten_question: question };
    const { excerpts, words } = await context.asHeavy(weightOfWords(question), () =>
      this.retrieve({ ...input, question }, context),
    );
    if (excerpts.length === 0) {
      yield { content: NOTHING_FOUND };
      return { ...NO_SOURCES, ...about, ...(format && { json: null }), usage: usageOf(rewritten?.usage) };
    }
    const asked = { question: { text: question, words }, excerpts, signal: context.signal };
    const { usage, ...ending } =
      jsonAnswerer && format ? yield* writeJson(jsonAnswerer, format.schema, asked) : yield* writeText(answerer, asked);
    return { ...ending, ...about, model: answerer.model, usage: usageOf(rewritten?.usage, usage) };
  }

  private async retrieve(input: Input, context: StreamContext) {
    const { question, top_k: excerptsMax } = input;
    const found = await this.ranking.rank(context, question, searchFilterOf(input));
    const { words } = found;
    return { excerpts: await chooseExcerpts(await this.read(context.tenantId, found), words, excerptsMax), words };
  }

  private async read(tenantId: string, { byWords, byMeaning }: QuestionRanking): Promise<RelevantText[]> {
    const texts = await this.texts.readAround(tenantId, [...byWords, ...byMeaning]);
    const scoresIn = (found: readonly RelevantChunk[], fileId: string) =>
      new Map(found.filter((chunk) => chunk.fileId === fileId).map(({ index, score }) => [index, score]));
    return texts.map((text) => ({
      ...text,
      byWords: scoresIn(byWords, text.fileId),
      byMeaning: scoresIn(byMeaning, text.fileId),
    }));
  }
}

function usageOf(...usages: (ChatUsage | null | undefined)[]): AnswerEnding['usage'] {
  const sum = sumOfUsage(...usages);
  return sum && { prompt_tokens: sum.promptTokens, completion_tokens: sum.answerTokens };
}
