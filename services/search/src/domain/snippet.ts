// The part of a text that shows best why it was found. What leaves here is safe to put into a page: `<mark>` is the only
// markup, everything of the text is escaped.
import { tokensOfText } from './analyzer.js';

interface Range {
  start: number;
  end: number;
  term: string;
}

/** UTF-16 units of text shown, before escaping. */
const SNIPPET_CHARACTERS = 240;
/** Shown before the first match, so that it stands in its sentence. */
const LEAD_CHARACTERS = 40;
/** How far a cut may move to fall between words. */
const CUT_SLACK = 24;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

function findMatches(text: string, terms: ReadonlySet<string>): Range[] {
  const matches: Range[] = [];
  for (const token of tokensOfText(text)) if (terms.has(token.term)) matches.push(token);
  return matches;
}

/** The match from which on a window holds the most weight, each term counting once. */
function bestStart(matches: readonly Range[], weights: ReadonlyMap<string, number>): number {
  let best = 0;
  let bestWeight = -1;
  for (const [position, first] of matches.entries()) {
    const seen = new Set<string>();
    let weight = 0;
    for (let next = position; next < matches.length; next++) {
      const match = matches[next];
      if (!match || match.end - first.start > SNIPPET_CHARACTERS - LEAD_CHARACTERS) break;
      if (!seen.has(match.term)) weight += weights.get(match.term) ?? 0;
      seen.add(match.term);
    }
    if (weight > bestWeight) [best, bestWeight] = [first.start, weight];
  }
  return best;
}

/** `offset`, moved forward to just after a space nearby, and never into the middle of a surrogate pair. */
function cutAt(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  const space = text.slice(offset - 1, offset + CUT_SLACK).search(/\s/);
  if (space >= 0) return offset + space;
  return /[\uDC00-\uDFFF]/.test(text.charAt(offset)) ? offset + 1 : offset;
}

function mark(text: string, start: number, end: number, matches: readonly Range[]): string {
  let html = '';
  let done = start;
  for (let position = 0; position < matches.length; position++) {
    const match = matches[position];
    if (!match || match.start < done || match.end > end) continue;
    let markEnd = match.end;
    // Overlapping pairs of characters are one mark.
    for (let next = matches[position + 1]; next && next.start < markEnd; next = matches[++position + 1]) {
      if (next.end <= end) markEnd = Math.max(markEnd, next.end);
    }
    html += `${escapeHtml(text.slice(done, match.start))}<mark>${escapeHtml(text.slice(match.start, markEnd))}</mark>`;
    done = markEnd;
  }
  return html + escapeHtml(text.slice(done, end));
}

/** About 240 characters of `text` with the words of these terms in `<mark>`, HTML-escaped; `weights` maps each term to its idf. */
export function makeSnippet(text: string, weights: ReadonlyMap<string, number>): string {
  const matches = findMatches(text, new Set(weights.keys()));
  const first = matches.length === 0 ? 0 : bestStart(matches, weights);
  const lead = Math.max(0, first - LEAD_CHARACTERS);
  const start = Math.min(cutAt(text, lead), first);
  const end = cutAt(text, start + SNIPPET_CHARACTERS);
  const html = mark(text, start, end, matches).replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '… ' : ''}${html}${end < text.length ? ' …' : ''}`;
}
