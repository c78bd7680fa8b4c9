// Chooses the sentences that answer a question best, for an answer without a chat model. The value of a sentence is the sum of the weights
// of the question's terms in it. Terms that only its heading has count half, because the text below a question or a subject seldom repeats its
// words. Terms that a chosen sentence or its heading has already count less. Sentences near the start of the best excerpt count a little more.
import type { Excerpt } from './excerpt.js';
import type { QuestionTerms, QuestionWords } from './question-terms.js';
import { sentencesOf } from './sentences.js';

interface QuotedSentence {
  text: string;
  /** The position of the excerpt that contains the sentence. */
  excerpt: number;
}

const SENTENCES_MAX = 4;
/** A sentence with a lower score, relative to the best one, is left out. */
const RELATIVE_SCORE_MIN = 0.3;
/** The share of a term's weight that remains when a chosen sentence has the term. */
const REPEATED_TERM_SHARE = 0.35;
/** The share of a term's weight if only the heading of the sentence has the term. */
const HEADING_SHARE = 0.5;
/** How much a sentence loses at most by its position in its excerpt, and by the score of its excerpt. */
const POSITION_SHARE = 0.1;
const EXCERPT_SHARE = 0.3;
/** Two sentences that share this part of their words count as the same. */
const SAME_WORDS_SHARE = 0.8;
const QUESTION = /[?？؟]$/;
/** The punctuation at the end of a heading. */
const HEADING_END = /[\s.:?!。：？！؟।]+$/u;
const WORDS = /[\p{L}\p{N}]+/gu;

interface Candidate extends QuotedSentence {
  position: number;
  heading: string;
  /** The terms in the language of the text. */
  terms: QuestionTerms;
  repeats: Map<string, number>;
  /** The terms that only its heading has. */
  above: Map<string, number>;
  words: ReadonlySet<string>;
  relativeLength: number;
  prior: number;
}

/** Returns sentences in the order of the excerpts, and of the text within each. */
export function quoteSentences(excerpts: readonly Excerpt[], words: QuestionWords): QuotedSentence[] {
  const candidates = candidatesOf(excerpts, words);
  const chosen: Candidate[] = [];
  const known = new Set<string>();
  let best = 0;
  while (chosen.length < SENTENCES_MAX) {
    const next = bestOf(candidates, (one) => worthOf(one, known));
    if (!next || next.worth < best * RELATIVE_SCORE_MIN || next.worth <= 0) break;
    best = Math.max(best, next.worth);
    candidates.splice(candidates.indexOf(next.candidate), 1);
    if (chosen.some((other) => isSame(other, next.candidate))) continue;
    chosen.push(next.candidate);
    for (const term of [...next.candidate.repeats.keys(), ...next.candidate.above.keys()]) known.add(term);
  }
  return withHeadings(chosen.toSorted((one, other) => one.excerpt - other.excerpt || one.position - other.position));
}

/** A sentence that answers by its heading follows it. */
function withHeadings(chosen: readonly Candidate[]): QuotedSentence[] {
  return chosen.map(({ text, excerpt, heading, terms, repeats, above }, at) => {
    const isFirst = heading !== chosen[at - 1]?.heading;
    const needsHeading = isFirst && terms.score(above, 1) > terms.score(repeats, 1);
    return { text: needsHeading ? `${heading.replace(HEADING_END, '')} – ${text}` : text, excerpt };
  });
}

function candidatesOf(excerpts: readonly Excerpt[], question: QuestionWords): Candidate[] {
  const bestScore = Math.max(...excerpts.map(({ score }) => score), Number.MIN_VALUE);
  const candidates = excerpts.flatMap(({ text, language, headings, score }, excerpt): Candidate[] => {
    const terms = question.in(language);
    const relevance = 1 - EXCERPT_SHARE + (EXCERPT_SHARE * score) / bestScore;
    return answersIn(text).map(({ text: sentence, heading, position, early }) => {
      const above = heading || (headings.at(-1) ?? '');
      const repeats = terms.repeatsIn(sentence);
      const inHeading = [...terms.repeatsIn(above).keys()].filter((term) => !repeats.has(term));
      return {
        text: sentence,
        excerpt,
        position,
        heading: above,
        terms,
        repeats,
        above: new Map(inHeading.map((term) => [term, 1])),
        words: new Set(sentence.toLowerCase().match(WORDS) ?? []),
        relativeLength: sentence.length,
        prior: early * relevance,
      };
    });
  });
  const average = candidates.reduce((sum, { relativeLength }) => sum + relativeLength, 0) / candidates.length;
  for (const candidate of candidates) candidate.relativeLength /= average;
  return candidates;
}

/** The sentences of a text. A question is the heading of the sentence after it, and no answer. */
function answersIn(text: string) {
  const sentences = sentencesOf(text);
  return sentences.flatMap((sentence, position) => {
    const [before, after] = [sentences[position - 1], sentences[position + 1]];
    if (QUESTION.test(sentence.text) && after?.heading === sentence.heading) return [];
    const isAsked = before?.heading === sentence.heading && QUESTION.test(before.text);
    const early = 1 - (POSITION_SHARE * position) / sentences.length;
    return [{ text: sentence.text, heading: isAsked ? before.text : sentence.heading, position, early }];
  });
}

function worthOf({ terms, repeats, above, relativeLength, prior }: Candidate, known: ReadonlySet<string>): number {
  const worth = (found: ReadonlyMap<string, number>, length: number) => {
    const fresh = new Map([...found].filter(([term]) => !known.has(term)));
    const repeated = new Map([...found].filter(([term]) => known.has(term)));
    return terms.score(fresh, length) + REPEATED_TERM_SHARE * terms.score(repeated, length);
  };
  return (worth(repeats, relativeLength) + HEADING_SHARE * worth(above, 1)) * prior;
}

function bestOf(candidates: readonly Candidate[], worth: (candidate: Candidate) => number) {
  let best: { candidate: Candidate; worth: number } | null = null;
  for (const candidate of candidates) {
    const value = worth(candidate);
    if (!best || value > best.worth) best = { candidate, worth: value };
  }
  return best;
}

function isSame(one: Candidate, other: Candidate): boolean {
  const shared = [...one.words].filter((word) => other.words.has(word)).length;
  return shared >= SAME_WORDS_SHARE * Math.min(one.words.size, other.words.size);
}
