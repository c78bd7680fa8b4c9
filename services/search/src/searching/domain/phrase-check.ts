// Decides by their texts which files meet the clauses that postings cannot decide. The best files are read first.
import type { TextLanguage } from '@kiln/contracts';
import { ClauseMatcher, type Clause } from './clause.js';
import type { ScoredFile, TopFiles } from './top-files.js';

/** Texts of one file that are read at a time. The first passages decide most files. */
const PASSAGES_PER_FILE = 8;

/** A passage whose text must be read next. */
interface UnreadPassage {
  readonly check: PhraseCheck;
  readonly file: ScoredFile;
  readonly place: number;
}

export class PhraseChecks {
  private readonly checks: readonly PhraseCheck[];

  constructor(
    private readonly top: Pick<TopFiles, 'items' | 'total'>,
    clauses: readonly Clause[],
  ) {
    const matchers = clauses.map((clause) => new ClauseMatcher(clause));
    this.checks = top.items.map((file) => new PhraseCheck(file, clauses, matchers));
  }

  /** At most `count` passages. Empty when all files are decided. */
  next(count: number): UnreadPassage[] {
    const unread: UnreadPassage[] = [];
    for (const check of this.checks) {
      if (unread.length >= count) break;
      const places = check.next(Math.min(PASSAGES_PER_FILE, count - unread.length));
      for (const place of places) unread.push({ check, file: check.file, place });
    }
    return unread;
  }

  /** The files that meet all clauses. `total` also counts those that are not decided. */
  get met(): Pick<TopFiles, 'items' | 'total'> {
    const refuted = this.checks.filter(({ verdict }) => verdict === 'refuted').length;
    const met = this.checks.filter(({ verdict }) => verdict === 'met');
    return { items: met.map(({ file, place }) => ({ ...file, place })), total: this.top.total - refuted };
  }
}

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

  /** The file has no text any more. */
  leaveOut(): void {
    this.verdict = 'refuted';
  }

  private choose(place: number): void {
    if (this.isPlaceChosen || place === 0) return;
    this.isPlaceChosen = true;
    this.place = place;
  }

  /** A passage need not be read when all its clauses are decided. */
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
