import type { AnswerHistory } from '@kiln/contracts';
import type { ChatAnswer, ChatUsage } from '@kiln/model-clients/chat/chat-model';
import type { Excerpt } from './domain/excerpt.js';
import type { QuestionWords } from './domain/question-terms.js';

export interface Question {
  text: string;
  words: QuestionWords;
}

/** Null when nothing was counted. */
export function sumOfUsage(...usages: (ChatUsage | null | undefined)[]): ChatUsage | null {
  const counted = usages.filter((usage) => usage !== null && usage !== undefined);
  if (counted.length === 0) return null;
  const sumOf = (count: keyof ChatUsage) => counted.reduce((sum, usage) => sum + usage[count], 0);
  return { promptTokens: sumOf('promptTokens'), answerTokens: sumOf('answerTokens') };
}

/** How an answer has ended. */
export type AnswerEnd = Omit<ChatAnswer, 'text'>;

/**
 * Writes an answer from excerpts, at least one, or nothing when they do not answer the question. `[n]` cites the n-th excerpt. What the
 * excerpts do not support is removed later.
 */
export interface Answerer {
  /** The chat model. Null when sentences are quoted: links in them are kept. */
  readonly model: string | null;
  /** A question that can be understood without the messages before it. Null when the question is answered as it is. */
  rewrite(question: string, history: AnswerHistory, signal: AbortSignal): Promise<RewrittenQuestion | null>;
  answer(question: Question, excerpts: readonly Excerpt[], signal: AbortSignal): AsyncGenerator<string, AnswerEnd>;
}

export interface RewrittenQuestion {
  text: string;
  usage: ChatUsage | null;
}
