import type { Excerpt } from './domain/excerpt.js';
import type { QuestionWords } from './domain/question-terms.js';

export interface Question {
  text: string;
  words: QuestionWords;
}

export interface AnswerEnd {
  /** False when the answer was cut off at a limit. */
  isWhole: boolean;
}

/**
 * Writes an answer from excerpts, at least one, or nothing when they do not answer the question. `[n]` cites the n-th excerpt. What the
 * excerpts do not support is removed later.
 */
export interface Answerer {
  /** Whether the answerer writes in words of its own. Links that no excerpt contains are then removed later. */
  readonly isModel: boolean;
  answer(question: Question, excerpts: readonly Excerpt[], signal: AbortSignal): AsyncGenerator<string, AnswerEnd>;
}
