import type { Excerpt } from './domain/excerpt.js';
import type { QuestionTerms } from './domain/question-terms.js';

export interface Question {
  text: string;
  terms: QuestionTerms;
}

/** Writes an answer from excerpts, at least one. `[n]` cites the n-th excerpt; other citations are removed later. */
export interface Answerer {
  answer(question: Question, excerpts: readonly Excerpt[], signal: AbortSignal): AsyncGenerator<string>;
}
