import { Injectable } from '@nestjs/common';
import type { AnswerEnd, Answerer, Question } from './answerer.port.js';
import type { Excerpt } from './domain/excerpt.js';
import { NOTHING_FOUND } from './domain/prompt.js';
import { quoteSentences } from './domain/quote-sentences.js';

/** Brackets in a quote would look like a citation. */
const BRACKETS = /[[\]【】]/g;
const ROUND: Record<string, string> = { '[': '(', ']': ')', '【': '(', '】': ')' };

/** Answers without a chat model: quotes the best sentences, each with its citation. */
@Injectable()
export class ExtractiveAnswerer implements Answerer {
  readonly isModel = false;

  async *answer({ words }: Question, excerpts: readonly Excerpt[]): AsyncGenerator<string, AnswerEnd> {
    const sentences = quoteSentences(excerpts, words);
    if (sentences.length === 0) yield NOTHING_FOUND;
    for (const [position, { text, excerpt }] of sentences.entries()) {
      const quoted = text.replace(BRACKETS, (bracket) => ROUND[bracket] ?? '');
      yield `${position === 0 ? '' : ' '}${quoted} [${excerpt + 1}]`;
    }
    return { isWhole: true };
  }
}
