// Decides by its texts whether a file meets the clauses that postings cannot decide.
import type { TextLanguage } from '@kiln/contracts';
import type { Clause, ClauseMatcher } from './clause.js';
import type { ScoredFile } from './top-files.js';

type Verdict = 'open' | 'met' | 'refuted';

export class PhraseCheck {
  verdict: Verdict = 'open';
  /** The place of the chunk to show: the best one, or the first one that has a phrase if the best one has none. */
  place: number;
  /** The clauses that each passage can decide, by its place. The best passage comes first. */
  private readonly waiting = new Map<number, number[]>();
  private readonly missing = new Set<number>();
  private readonly truncated: boolean;
  private isPlaceChosen = false;

  constructor(
    readonly file: ScoredFile,
    private readonly clauses: readonly Clause[],
    private readonly matchers: readonly ClauseMatcher[],
  ) {
    this.place = file.place;
    this.truncated = file.undecided?.truncated ?? false;
    const places = file.undecided?.places ?? [];
    if (places.some((some) => some.includes(file.place))) this.waiting.set(file.place, []);
    for (const [position, { excluded, needsText }] of clauses.entries()) {
      if (!needsText) continue;
      if (!excluded) this.missing.add(position);
      for (const place of places[position] ?? []) {
        const decided = this.waiting.get(place);
        if (decided) decided.push(position);
        else this.waiting.set(place, [position]);
      }
    }
    this.conclude();
  }

  /** The places of the texts to read next, at most `count`. */
  next(count: number): number[] {
    return this.verdict === 'open' ? [...this.waiting.keys()].slice(0, count) : [];
  }

  /** Takes the text of one of these places. */
  read(place: number, text: string, language: TextLanguage): void {
    const positions = this.waiting.get(place) ?? [];
    this.waiting.delete(place);
    if (this.verdict !== 'open') return;
    for (const position of positions) {
      const excluded = this.clauses[position]?.excluded === true;
      if ((!excluded && !this.missing.has(position)) || !this.matchers[position]?.isIn(text, language)) continue;
      if (excluded) {
        this.verdict = 'refuted';
        return;
      }
      this.missing.delete(position);
      this.choose(place);
    }
    this.conclude();
  }

  private choose(place: number): void {
    if (this.isPlaceChosen || place === 0) return;
    this.isPlaceChosen = true;
    this.place = place;
  }

  /** A passage whose clauses are all decided need not be read. */
  private conclude(): void {
    for (const [place, positions] of this.waiting) {
      const isOpen = (position: number) => this.clauses[position]?.excluded === true || this.missing.has(position);
      if (!positions.some(isOpen)) this.waiting.delete(place);
    }
    if (this.waiting.size > 0) return;
    if (this.truncated && (this.missing.size > 0 || this.hasExcludedPhrase())) return;
    this.verdict = this.missing.size === 0 ? 'met' : 'refuted';
  }

  private hasExcludedPhrase(): boolean {
    return this.clauses.some(({ excluded, needsText }) => excluded && needsText);
  }
}
