import type { Excerpt } from './domain/excerpt.js';
import type { QuestionWords } from './domain/question-terms.js';

export interface Question {
  text: string;
  words: QuestionWords;
}

/** Writes an answer from excerpts, at least one. `[n]` cites the n-th excerpt; other citations are removed later. */
export interface Answerer {
  answer(question: Question, excerpts: readonly Excerpt[], signal: AbortSignal): AsyncGenerator<string>;
}
