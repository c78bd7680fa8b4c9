// The sentences of an excerpt, each with its words, its numbers, and the words around it.
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import type { Excerpt } from './excerpt.js';
import { powersIn, readingsIn } from './numbers.js';
import { sentencesOf, type Sentence } from './sentences.js';
import type { Terms } from './statement-words.js';

/** A sentence of an excerpt, together with the one before and the one after. */
export interface Passage {
  sentence: Sentence;
  own: ReadonlySet<string>;
  terms: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
}

/** Headings and the filename belong to each sentence. */
export function readPassages({ text, language, headings, filename }: Excerpt): Passage[] {
  const about = [...headings, filename].join('\n');
  const powers = powersIn(`${text}\n${about}`);
  const analyzer = analyzerOf(language);
  const read = (part: string) => ({
    terms: new Set(analyzer.termsOfText(part)),
    numbers: readingsIn(part, language, powers),
  });
  const context = read(about);
  const sentences = sentencesOf(text);
  const own = sentences.map((sentence) => read(sentence.text));
  const above = new Map(
    [...new Set(sentences.map(({ heading }) => heading))].map((heading) => [heading, read(heading)]),
  );
  return sentences.map((sentence, at) => {
    const around = [context, above.get(sentence.heading) ?? context];
    const near = [...own.slice(Math.max(at - 1, 0), at + 2), ...around];
    return {
      sentence,
      own: own[at]?.terms ?? new Set(),
      terms: new Set(near.flatMap(({ terms }) => [...terms])),
      numbers: new Set([...(own[at]?.numbers ?? []), ...around.flatMap(({ numbers }) => [...numbers])]),
    };
  });
}

/** How many of the words the sentence has. The sentences beside it decide between equals. */
export const nearnessOf = ({ own, terms: near }: Passage, terms: Terms) =>
  countIn(own, terms) + countIn(near, terms) / (terms.size + 1);

export const countIn = (known: ReadonlySet<string>, terms: Terms) =>
  [...terms.keys()].filter((term) => known.has(term)).length;
