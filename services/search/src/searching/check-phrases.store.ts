// Decides by texts which of the ranked files meet the phrases of a query. It reads the best files first and a bounded amount of text, so a
// phrase of common words costs no more in a large tenant.
import type { TextLanguage } from '@kiln/contracts';
import type { Queryable } from '@kiln/platform';
import { ClauseMatcher, type Clause } from './domain/clause.js';
import { PhraseCheck } from './domain/phrase-check.js';
import type { TopFiles } from './domain/top-files.js';
import { keysOf, type IndexReader } from './index-reader.store.js';
import { numberArray } from '../array-literal.rows.js';
import { readPassages } from './rank.statements.js';
import { EventLoopBudget } from './domain/event-loop-budget.js';

export interface CheckBounds {
  /** So many of the best files are checked. */
  files: number;
  /** So many of the passages that have all words of a phrase are known of each file. */
  passagesPerFile: number;
  /** Texts that one search reads. */
  passages: number;
  bytes: number;
  /** Texts that one statement reads. It exceeds the bytes by one text at most. */
  passagesPerStatement: number;
  bytesPerStatement: number;
}

/** Of one file at a time. Most files are decided by their first passages. */
const PASSAGES_PER_FILE = 8;

interface PassageRow {
  file_id: string | null;
  language: TextLanguage | null;
  body: string | null;
}

interface Checking {
  database: Queryable;
  tenantId: string;
  reader: IndexReader;
  bounds: CheckBounds;
  checks: readonly PhraseCheck[];
}

/**
 * Returns the files that meet all clauses, the best first. `total` also counts files that could not be checked within the bounds. Returns
 * null when the scored version of a file is no longer the current one.
 */
export async function checkPhrases(
  checking: Omit<Checking, 'checks'>,
  clauses: readonly Clause[],
  { files, total }: Pick<TopFiles, 'files' | 'total'>,
): Promise<Pick<TopFiles, 'files' | 'total'> | null> {
  const matchers = clauses.map((clause) => new ClauseMatcher(clause));
  const checks = files.map((file) => new PhraseCheck(file, clauses, matchers));
  if (!(await readTexts({ ...checking, checks }))) return null;
  const refuted = checks.filter(({ verdict }) => verdict === 'refuted').length;
  const met = checks.filter(({ verdict }) => verdict === 'met');
  return { files: met.map(({ file, place }) => ({ ...file, place })), total: total - refuted };
}

async function readTexts(checking: Checking): Promise<boolean> {
  const { bounds } = checking;
  const budget = new EventLoopBudget();
  let passages = 0;
  let bytes = 0;
  while (passages < bounds.passages && bytes < bounds.bytes) {
    const unread = nextUnread(checking.checks, Math.min(bounds.passagesPerStatement, bounds.passages - passages));
    if (unread.length === 0) return true;
    for (const [position, { file_id: fileId, language, body }] of (await readRows(checking, unread)).entries()) {
      if (fileId === null || language === null) return false;
      const { check, place } = unread[position] as UnreadPassage;
      passages++;
      bytes += Buffer.byteLength(body ?? '');
      check.read(place, body ?? '', language);
      if (budget.isSpent) await budget.renew();
    }
  }
  return true;
}

interface UnreadPassage {
  check: PhraseCheck;
  place: number;
}

function nextUnread(checks: readonly PhraseCheck[], count: number): UnreadPassage[] {
  const unread: UnreadPassage[] = [];
  for (const check of checks) {
    if (unread.length >= count) break;
    for (const place of check.next(Math.min(PASSAGES_PER_FILE, count - unread.length))) unread.push({ check, place });
  }
  return unread;
}

/** The rows of the first of these passages. At least one. */
function readRows(
  { database, tenantId, reader, bounds }: Checking,
  unread: readonly UnreadPassage[],
): Promise<PassageRow[]> {
  const files = unread.map(({ check }) => check.file);
  return database.query<PassageRow>(readPassages, [
    tenantId,
    ...keysOf(reader, files),
    numberArray(unread.map(({ place }) => place)),
    bounds.bytesPerStatement,
  ]);
}
