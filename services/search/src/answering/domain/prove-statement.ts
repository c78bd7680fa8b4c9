// Keeps as much of a statement as its sources support. A statement can have several claims, each with citations of its own: "It is fired at
// 1,200 degrees [1] and glazed twice [2]." It ends where the support ends.
import { divideAtCitations, type CitedText } from './citations.js';
import type { Evidence, Support } from './evidence.js';

const WORD = /[\p{L}\p{N}]/u;
/** What may follow the citation at the end of a statement. */
const TEXT_AND_PUNCTUATION = /^([^]*?)([\s.,;:!?…。！？]*)$/;

/** Text, and the excerpts that are cited after it. */
export interface ProvenText {
  text: string;
  support: readonly Support[];
}

interface ProvenStatement {
  parts: ProvenText[];
  /** False when a claim was left out. */
  isWhole: boolean;
}

/** Null when nothing supports the statement, or its first claim. */
export function proveStatement(statement: string, evidence: Evidence, excerptCount: number): ProvenStatement | null {
  const texts = divideAtCitations(statement, excerptCount);
  const last = texts.at(-1);
  const ending = last?.cited === null && !WORD.test(last.text) ? (texts.pop()?.text ?? '') : '';
  const parts: ProvenText[] = [];
  let before: readonly number[] = [];
  for (const claim of claimsOf(texts, evidence)) {
    const own = [...new Set(claim.flatMap(({ cited }) => cited ?? []))];
    const text = claim.map((part) => part.text).join('');
    const support = evidence.supportOf(text, own.length > 0 ? own : before);
    if (!support) return parts.length === 0 ? null : { parts: [...parts, { text: '.', support: [] }], isWhole: false };
    parts.push(...withSupport(claim, support));
    before = support.map(({ excerpt }) => excerpt);
  }
  return parts.length === 0 ? null : { parts: [...parts, { text: ending, support: [] }], isWhole: true };
}

/** Texts that are too short to be judged belong to the next claim, or to the one before. */
function claimsOf(texts: readonly CitedText[], evidence: Evidence): CitedText[][] {
  const claims: CitedText[][] = [];
  let fragments: CitedText[] = [];
  for (const text of texts) {
    const claim = [...fragments, text];
    const isFragment = evidence.isFragment(claim.map((part) => part.text).join(''));
    if (isFragment) fragments = claim;
    else {
      claims.push(claim);
      fragments = [];
    }
  }
  const last = claims.at(-1);
  if (last) last.push(...fragments);
  else if (fragments.length > 0) claims.push(fragments);
  return claims;
}

/** Citations that do not support the claim are removed. Excerpts that were not cited are cited at the end. */
function withSupport(claim: readonly CitedText[], support: readonly Support[]): ProvenText[] {
  const parts = claim.map(({ text, cited }) => ({
    text,
    support: support.filter(({ excerpt }) => cited?.includes(excerpt)),
  }));
  const uncited = support.filter((one) => !parts.some((part) => part.support.includes(one)));
  const last = parts.pop();
  if (!last || uncited.length === 0) return last ? [...parts, last] : parts;
  if (claim.at(-1)?.cited) return [...parts, { ...last, support: [...last.support, ...uncited] }];
  const [, text = '', punctuation = ''] = TEXT_AND_PUNCTUATION.exec(last.text) ?? [];
  return [...parts, { text, support: uncited }, { text: punctuation, support: [] }];
}
