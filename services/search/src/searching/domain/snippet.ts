// Selects the part of a text that matches the query best. The result is safe to embed in a page: `<mark>` is the only markup, and the text
// is escaped.
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import type { QueryTerm } from './search-query.js';
import { TermFinder } from './term-finder.js';
import { endOfCharacter, startOfCharacter } from './whole-characters.js';

interface Range {
  start: number;
  end: number;
  term: string;
}

/** The length of a snippet in UTF-16 code units, before escaping. */
const SNIPPET_CHARACTERS = 240;
/** Text before the first match, which gives it context. */
const LEAD_CHARACTERS = 40;
/** How far a cut may move to end between words. */
const CUT_SLACK = 24;

/** A space with combining marks is a character. */
const OUTER_SPACE = /^ (?![\p{M}\p{Emoji_Modifier}\u200d])| $/gu;
/** Of two spaces around a tag, the second may carry combining marks. */
const SPACES_AROUND_TAG = / (<\/?mark>) /g;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Sums that differ less are equal: they differ by the rounding of their additions. */
const ROUNDING = 1e-9;

/** Finds the window of `length` characters whose matches have the most weight, and returns its start. Each term counts once. */
export function bestStart(
  matches: readonly Range[],
  weights: ReadonlyMap<string, number>,
  length = SNIPPET_CHARACTERS - LEAD_CHARACTERS,
): number {
  let best = 0;
  let bestWeight = -1;
  /** How often the window contains each term. */
  const counts = new Map<string, number>();
  let weight = 0;
  let next = 0;
  for (const [position, first] of matches.entries()) {
    for (let match = matches[next]; match && match.end - first.start <= length; match = matches[++next]) {
      const count = counts.get(match.term) ?? 0;
      if (count === 0) weight += weights.get(match.term) ?? 0;
      counts.set(match.term, count + 1);
    }
    if (weight > bestWeight + ROUNDING) [best, bestWeight] = [first.start, weight];
    if (next === position) {
      next++; // The match alone is longer than the window.
      continue;
    }
    const count = counts.get(first.term) ?? 0;
    if (count === 1) weight -= weights.get(first.term) ?? 0;
    counts.set(first.term, count - 1);
  }
  return best;
}

/** Moves `offset` forward to just after a nearby space, and never into the middle of a character. */
function cutAt(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  const space = text.slice(offset - 1, offset + CUT_SLACK).search(/\s/);
  return endOfCharacter(text, space >= 0 ? offset + space : offset);
}

function mark(text: string, start: number, end: number, matches: readonly Range[]): string {
  let html = '';
  let done = start;
  for (let position = 0; position < matches.length; position++) {
    const match = matches[position];
    if (!match || match.start < done || match.end > end) continue;
    let markEnd = match.end;
    // Overlapping pairs of characters get one mark.
    for (let next = matches[position + 1]; next && next.start < markEnd; next = matches[++position + 1]) {
      if (next.end <= end) markEnd = Math.max(markEnd, next.end);
    }
    html += `${escapeHtml(text.slice(done, match.start))}<mark>${escapeHtml(text.slice(match.start, markEnd))}</mark>`;
    done = markEnd;
  }
  return html + escapeHtml(text.slice(done, end));
}

/**
 * Returns about 240 characters of `text`, HTML-escaped, with matching words in `<mark>`. `weights` maps each term of the finder to its
 * weight.
 */
export function makeSnippet(text: string, weights: ReadonlyMap<string, number>, finder: TermFinder): string {
  return snippetOf(text, matchesIn(text, finder), weights);
}

const matchesIn = (text: string, finder: TermFinder): Range[] =>
  finder.find(text).map(({ term, start, end }) => ({
    term,
    start: startOfCharacter(text, start),
    end: endOfCharacter(text, end),
  }));

function snippetOf(text: string, matches: readonly Range[], weights: ReadonlyMap<string, number>): string {
  const first = matches.length === 0 ? 0 : bestStart(matches, weights);
  const lead = Math.max(0, first - LEAD_CHARACTERS);
  const start = Math.min(cutAt(text, lead), first);
  const end = cutAt(text, start + SNIPPET_CHARACTERS);
  const html = mark(text, start, end, matches)
    .replace(/\s+/g, ' ')
    .replace(SPACES_AROUND_TAG, '$1 ')
    .replace(OUTER_SPACE, '');
  return `${start > 0 ? '… ' : ''}${html}${end < text.length ? ' …' : ''}`;
}

export interface Shown {
  snippet: string;
  /** The matches in the text, in order, without overlaps. */
  highlights: { start: number; end: number }[];
}

const HIGHLIGHTS_MAX = 50;

/** Overlapping pairs of characters are one match. */
function joined(matches: readonly Range[]): Shown['highlights'] {
  const ranges: Shown['highlights'] = [];
  for (const { start, end } of matches) {
    const last = ranges.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

interface Wanted {
  /** The weight of each term. */
  weights: ReadonlyMap<string, number>;
  finder: TermFinder;
}

/** Makes the snippets of one search. A text is searched for the query's terms in its own language. */
export class SnippetMaker {
  private readonly wanted = new Map<TextLanguage, Wanted>();

  /** `weights` is ordered by the position of each term. */
  constructor(
    private readonly terms: readonly QueryTerm[],
    private readonly weights: readonly number[],
  ) {}

  make(text: string, language: TextLanguage): Shown {
    const { weights, finder } = this.wantedIn(language);
    const matches = matchesIn(text, finder);
    return { snippet: snippetOf(text, matches, weights), highlights: joined(matches).slice(0, HIGHLIGHTS_MAX) };
  }

  private wantedIn(language: TextLanguage): Wanted {
    let wanted = this.wanted.get(language);
    if (wanted) return wanted;
    const weights = new Map<string, number>();
    for (const [position, term] of this.terms.entries()) {
      if (term.language === language) weights.set(term.term, this.weights[position] ?? 0);
    }
    wanted = { weights, finder: new TermFinder(analyzerOf(language), weights.keys()) };
    this.wanted.set(language, wanted);
    return wanted;
  }
}
