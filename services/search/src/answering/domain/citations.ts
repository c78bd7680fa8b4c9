// The citations in the answer of a model. An answer cites excerpts by their numbers in the prompt, from 1.

/** `[1]`, `[1, 2]`, `[2-4]`, and forms that models use against their instructions: `[^1]`, `[Source 1]`, `【1】`. */
const NUMBERS = String.raw`\d{1,4}(?:\s*[-–]\s*\d{1,4})?`;
const CITATION = String.raw`[[【]\s*(?:\^|#|sources?)?\s*${NUMBERS}(?:\s*[,;]\s*${NUMBERS})*\s*[\]】]`;
const CITATIONS = new RegExp(CITATION, 'gi');
/** Citations with nothing but white space between them. */
const RUNS = new RegExp(`(?:\\s*${CITATION})+`, 'gi');
const RANGES = /(\d+)(?:\s*[-–]\s*(\d+))?/g;
/** A citation that is not closed. Without this, `[2[9]]` would become `[2]` when the inner citation is removed. */
const UNCLOSED = /(?:\s*[[【]\s*(?:\^|#|sources?)?[\d\s,;–-]*)+$/i;

/** Text, and the citations that follow it. */
export interface CitedText {
  /** Contains no citations. */
  text: string;
  /** The positions of the excerpts that are cited, from 0. Empty when none of them is known. Null when no citation follows. */
  cited: number[] | null;
}

/** Divides a text at its citations. Only the last part may be without any. */
export function divideAtCitations(text: string, excerptCount: number): CitedText[] {
  const parts: CitedText[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    parts.push({ text: withoutCitations(text.slice(from, index)), cited: positionsIn(run, excerptCount) });
    from = index + run.length;
  }
  if (from < text.length) parts.push({ text: withoutCitations(text.slice(from)), cited: null });
  return parts;
}

/** Replaces each citation by characters of the same number. */
export const maskCitations = (text: string, mask: string) =>
  text.replace(CITATIONS, (citation) => mask.repeat(citation.length));

function withoutCitations(text: string): string {
  let rest = text.replace(UNCLOSED, '');
  // A removed citation may stand within another citation.
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(CITATIONS, '');
  }
  return rest;
}

function positionsIn(run: string, excerptCount: number): number[] {
  const positions = [...run.matchAll(RANGES)].flatMap(([, first, last = first]) =>
    Array.from({ length: excerptCount }, (_, position) => position).filter(
      (position) => position + 1 >= Number(first) && position + 1 <= Number(last),
    ),
  );
  return [...new Set(positions)];
}

/** Gives cited excerpts their numbers in the answer: 1, 2, 3, in the order of their first citation. */
export class CitationNumbers {
  /** The positions of the cited excerpts, in the order of their numbers. */
  readonly cited: number[] = [];

  of(position: number): number {
    const known = this.cited.indexOf(position);
    return known >= 0 ? known + 1 : this.cited.push(position);
  }
}
