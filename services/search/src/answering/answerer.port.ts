import type { AnswerHistory, AnswerSchema } from '@kiln/contracts';
import type { Excerpt } from './domain/excerpt.js';
import type { QuestionWords } from './domain/question-terms.js';

export interface Question {
  text: string;
  words: QuestionWords;
}

/** What a model used. */
export interface Usage {
  promptTokens: number;
  answerTokens: number;
}

/** Null when nothing was counted. */
export function sumOfUsage(...usages: (Usage | null | undefined)[]): Usage | null {
  const counted = usages.filter((usage) => usage !== null && usage !== undefined);
  if (counted.length === 0) return null;
  const sumOf = (count: keyof Usage) => counted.reduce((sum, usage) => sum + usage[count], 0);
  return { promptTokens: sumOf('promptTokens'), answerTokens: sumOf('answerTokens') };
}

export interface AnswerEnd {
  /** False when the answer was cut off at a limit. */
  isWhole: boolean;
  /** Null when it was not counted. */
  usage: Usage | null;
}

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

/** An answerer that can also write JSON. */
export interface JsonAnswerer extends Answerer {
  /** The value matches the schema, or is null when the excerpts do not answer the question. Throws UNAVAILABLE when the model fails. */
  answerAsJson(
    question: string,
    excerpts: readonly Excerpt[],
    schema: AnswerSchema,
    signal: AbortSignal,
  ): Promise<{ value: unknown; usage: Usage | null }>;
}

export interface RewrittenQuestion {
  text: string;
  usage: Usage | null;
}
