// Finds what supports a statement: the sentences of the excerpts that share its words and its numbers. Words are compared by their stems in
// the language of the excerpt. This shows that the excerpt is about the same, not that it says the same: a model that adds a "not" is not
// noticed. docs/decisions/answers.md has the reasons and the measurements.
import type { TextLanguage } from '@kiln/contracts';
import type { Excerpt } from './excerpt.js';
import { isAmong, numbersOf, type TextNumber } from './numbers.js';
import { countIn, nearnessOf, readPassages, type Passage } from './passages.js';
import type { Sentence } from './sentences.js';
import { isInAnotherLanguage, termsOf, type Terms } from './statement-words.js';

/** The share of a statement's words that its excerpts must contain, together, and how many words, if it has so many. */
const SHARE_MIN = 0.5;
const WORDS_MIN = 2;
const SPECIFIC_CHARACTERS_MIN = 3;
/** The share that each of several cited excerpts must contain. */
const SHARE_OF_EACH_MIN = 0.2;
/** An excerpt that supports a statement. */
export interface Support {
  /** The position of the excerpt. */
  readonly excerpt: number;
  /** The sentence of the excerpt that shares most with the statement. Null when the words cannot be compared. */
  readonly quote: Sentence | null;
}

/** How much of a statement an excerpt contains. */
interface Judgement extends Support {
  /** The offsets of the words that it contains. */
  words: ReadonlySet<number>;
  wordCount: number;
  /** The numbers of the statement that stand beside a word of the statement. */
  numbers: readonly TextNumber[];
  /** Whether the statement is in another language, so that words cannot be compared. */
  isForeign: boolean;
}

export class Evidence {
  private readonly passages = new Map<number, Passage[]>();

  constructor(private readonly excerpts: readonly Excerpt[]) {}

  /** Whether a text is too short to be a statement: fewer than two words that can be compared, and no number. */
  isFragment(text: string): boolean {
    return this.languages.every(
      (language) => termsOf(text, language).size < 2 && numbersOf(text, language).length === 0,
    );
  }

  /**
   * Returns the cited excerpts that support a statement. If they do not support it, returns another excerpt that does. Returns null if no excerpt
   * supports the statement.
   */
  supportOf(statement: string, cited: readonly number[]): readonly Support[] | null {
    const judged = cited.map((position) => this.judge(statement, position));
    const near = judged.filter((one) => one.isForeign || one.wordCount === 0 || shareOf([one]) >= SHARE_OF_EACH_MIN);
    if (near.length > 0 && this.suffice(near, statement)) return near;
    const others = this.excerpts
      .map((_, position) => this.judge(statement, position))
      .filter((one) => one.wordCount > 0 && shareEnough([one]) && this.containNumbers([one], statement));
    const best = others.toSorted((one, other) => shareOf([other]) - shareOf([one]))[0];
    return best ? [best] : null;
  }

  /** The excerpt that contains a number near a word of `about`. A number of few digits may stand anywhere by chance, others need no word. */
  supportOfNumber(number: number, about: string): Support | null {
    let best: (Support & { words: number }) | null = null;
    for (const [excerpt, { language }] of this.excerpts.entries()) {
      const [sought] = numbersOf(String(number), language);
      const terms = termsOf(about, language);
      for (const passage of this.passagesOf(excerpt)) {
        if (!sought || !isAmong(sought, passage.numbers)) continue;
        const words = nearnessOf(passage, terms);
        if (words === 0 && terms.size > 0 && String(number).length < SPECIFIC_CHARACTERS_MIN) continue;
        if (!best || words > best.words) best = { excerpt, quote: passage.sentence, words };
      }
    }
    return best && { excerpt: best.excerpt, quote: best.quote };
  }

  /** Whether a text has words or numbers that can be compared. */
  isComparable(text: string): boolean {
    return this.languages.some((language) => termsOf(text, language).size + numbersOf(text, language).length > 0);
  }

  private get languages(): TextLanguage[] {
    return [...new Set(this.excerpts.map(({ language }) => language))];
  }

  private suffice(judged: readonly Judgement[], statement: string): boolean {
    const isSimilar = judged.some((one) => one.isForeign || one.wordCount === 0) || shareEnough(judged);
    return isSimilar && this.containNumbers(judged, statement);
  }

  private containNumbers(judged: readonly Judgement[], statement: string): boolean {
    const found = new Set(judged.flatMap(({ numbers }) => numbers.flatMap(({ readings }) => readings)));
    const languages = new Set(judged.map(({ excerpt }) => this.excerptAt(excerpt).language));
    return [...languages].some((language) =>
      numbersOf(statement, language).every(({ readings }) => readings.some((reading) => found.has(reading))),
    );
  }

  private judge(statement: string, excerpt: number): Judgement {
    const { language } = this.excerptAt(excerpt);
    const terms = termsOf(statement, language);
    const numbers = numbersOf(statement, language);
    const passages = this.passagesOf(excerpt);
    const best = bestOf(passages, { statement, terms, numbers });
    const words = new Set([...terms].filter(([term]) => best?.terms.has(term)).map(([, offset]) => offset));
    const isForeign = words.size < SHARE_MIN * terms.size && isInAnotherLanguage(statement, language);
    const hasContext = (passage: Passage) => isForeign || terms.size === 0 || countIn(passage.terms, terms) > 0;
    const known = passages.filter(hasContext);
    return {
      excerpt,
      quote: isForeign ? null : (best?.sentence ?? null),
      words,
      wordCount: terms.size,
      numbers: numbers.filter((number) => known.some((passage) => isAmong(number, passage.numbers))),
      isForeign,
    };
  }

  private excerptAt(position: number): Excerpt {
    const excerpt = this.excerpts[position];
    if (!excerpt) throw new Error('an unknown excerpt');
    return excerpt;
  }

  private passagesOf(position: number): Passage[] {
    let passages = this.passages.get(position);
    if (!passages) this.passages.set(position, (passages = readPassages(this.excerptAt(position))));
    return passages;
  }
}

interface Sought {
  statement: string;
  terms: Terms;
  numbers: readonly TextNumber[];
}

/** The passage whose sentence has most of the statement's words and numbers, then the one whose neighbours do. Null when none has any. */
function bestOf(passages: readonly Passage[], { statement, terms, numbers }: Sought): Passage | null {
  if (terms.size + numbers.length === 0) {
    const words = statement.replace(/\s+/g, ' ').trim();
    return passages.find(({ sentence }) => sentence.text === words) ?? null;
  }
  let best: Passage | null = null;
  let bestCount = 0;
  for (const passage of passages) {
    if (terms.size > 0 && countIn(passage.own, terms) === 0) continue;
    const count = nearnessOf(passage, terms) + numbers.filter((number) => isAmong(number, passage.numbers)).length;
    if (count > bestCount) [best, bestCount] = [passage, count];
  }
  return best;
}

/** The share of a statement's words that the excerpts contain together. */
function shareOf(judged: readonly Judgement[]): number {
  const words = new Set(judged.flatMap((one) => [...one.words]));
  return words.size / Math.max(...judged.map(({ wordCount }) => wordCount), 1);
}

function shareEnough(judged: readonly Judgement[]): boolean {
  const wordCount = Math.max(...judged.map((one) => one.wordCount));
  return shareOf(judged) >= Math.max(SHARE_MIN, Math.min(WORDS_MIN, wordCount) / wordCount);
}
