import { Injectable } from '@nestjs/common';
import type { AnswerEnd, Answerer, Question } from './answerer.port.js';
import type { Excerpt } from './domain/excerpt.js';
import { quoteSentences } from './domain/quote-sentences.js';

/** Brackets in a quote would look like a citation. */
const BRACKETS = /[[\]【】]/g;
const ROUND: Record<string, string> = { '[': '(', ']': ')', '【': '(', '】': ')' };

/** Answers without a chat model: quotes the best sentences, each with its citation. */
@Injectable()
export class ExtractiveAnswerer implements Answerer {
  readonly model = null;

  async rewrite(): Promise<null> {
    return null;
  }

  async *answer({ words }: Question, excerpts: readonly Excerpt[]): AsyncGenerator<string, AnswerEnd> {
    for (const [position, { text, excerpt }] of quoteSentences(excerpts, words).entries()) {
      const quoted = text.replace(BRACKETS, (bracket) => ROUND[bracket] ?? '');
      yield `${position === 0 ? '' : ' '}${quoted} [${excerpt + 1}]`;
    }
    return { isWhole: true, usage: null };
  }
}
