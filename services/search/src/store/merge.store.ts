// Moves files from the tail of a tenant into its blocks: they get their numbers, and their postings are appended.
//
// A merge holds the tenant's advisory lock and the rows of the files it takes. It waits for neither, so it is in no circle of waiting.
import { Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { appendPostings, type Block, type BlockEnd } from '../domain/block-appender.js';
import { isFacet } from '../domain/facet.js';
import type { PostingRun } from '../domain/postings.js';
import { facetRun, termsOfTail } from '../domain/tail-data.js';
import {
  chooseFiles,
  extendBlocks,
  insertBlocks,
  lastBlocks,
  lockFiles,
  numberFiles,
  readTailSizes,
  recordMerge,
  takeTail,
} from './merge.statements.js';
import { lockTenantIndex, type TenantIndex } from './tenant-index.statements.js';

/** What one transaction takes, unless a single row has more. */
const PASSAGES_PER_MERGE = 512;
const BYTES_PER_MERGE = 4_194_304;
const ROWS_PER_MERGE = 512;

interface LockedFile {
  file_id: string;
  first_number: number | null;
  chunks: number;
}

interface TailPart {
  file_id: string;
  part: number;
}

interface TailRow extends TailPart {
  chunks: number;
  chunk_length: number;
  titles: number;
  title_length: number;
  data: string;
}

interface Merge {
  transaction: Transaction;
  tenantId: string;
  index: TenantIndex;
}

@Injectable()
export class MergeStore {
  constructor(private readonly database: Database) {}

  /** Merges some of the tail when it has at least `enough` passages; true when there may be more. */
  mergeTail(tenantId: string, enough: number): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const index = await lockTenantIndex(transaction, tenantId);
      if (!index) return false;
      const merge = { transaction, tenantId, index };
      const files = await lockChosenFiles(merge, enough);
      if (files.size === 0) return false;
      const parts = await chooseParts(merge, files);
      if (parts.length === 0) return false;
      await mergeParts(merge, files, parts);
      return true;
    });
  }
}

/** None when the tail is short, or when a writer holds the partial file: what has higher numbers must come after it. */
async function lockChosenFiles(
  { transaction, tenantId, index }: Merge,
  enough: number,
): Promise<Map<string, LockedFile>> {
  const [chosen] = await transaction.query<{ passages: number; file_ids: string[]; partial_file_id: string | null }>(
    chooseFiles,
    [tenantId, Math.max(ROWS_PER_MERGE, enough), index.partial_file_id],
  );
  if (!chosen || chosen.passages < enough) return new Map();
  const partial = chosen.partial_file_id;
  const ids = [...chosen.file_ids, ...(partial === null ? [] : [partial])];
  const locked = await transaction.query<LockedFile>(lockFiles, [tenantId, ids]);
  const files = new Map(locked.map((file) => [file.file_id, file]));
  return partial === null || files.has(partial) ? files : new Map();
}

async function chooseParts(
  { transaction, tenantId, index }: Merge,
  files: ReadonlyMap<string, LockedFile>,
): Promise<TailPart[]> {
  const rows = await transaction.query<TailPart & { passages: number; bytes: number }>(readTailSizes, [
    tenantId,
    [...files.keys()],
    index.partial_file_id,
  ]);
  let passages = 0;
  let bytes = 0;
  let end = 0;
  for (const row of rows) {
    passages += row.passages;
    bytes += row.bytes;
    if (end > 0 && (passages > PASSAGES_PER_MERGE || bytes > BYTES_PER_MERGE)) break;
    end++;
  }
  return rows.slice(0, end);
}

async function mergeParts(
  { transaction, tenantId, index }: Merge,
  files: ReadonlyMap<string, LockedFile>,
  parts: readonly TailPart[],
): Promise<void> {
  const taken = await transaction.query<TailRow>(takeTail, [
    tenantId,
    parts.map((part) => part.file_id),
    parts.map((part) => part.part),
  ]);
  const rowByPart = new Map(taken.map((row) => [`${row.file_id} ${row.part}`, row]));
  const rows = parts.flatMap((part) => rowByPart.get(`${part.file_id} ${part.part}`) ?? []);
  const { numbers, next } = assignNumbers(rows, files, index.next_number);
  await writePostings(transaction, tenantId, collectRuns(rows, files, numbers));
  const added = [...numbers].filter(([fileId]) => files.get(fileId)?.first_number === null);
  await transaction.query(numberFiles, [tenantId, added.map(([id]) => id), added.map(([, number]) => number)]);
  const sum = (key: 'chunks' | 'chunk_length' | 'titles' | 'title_length') =>
    rows.reduce((total, row) => total + row[key], 0);
  const totals = [sum('chunks'), sum('chunk_length'), sum('titles'), sum('title_length')];
  await transaction.query(recordMerge, [tenantId, next, ...totals, rows.at(-1)?.file_id]);
}

/** Every file has a number for its title and one for each chunk, also for those without terms. */
function assignNumbers(rows: readonly TailRow[], files: ReadonlyMap<string, LockedFile>, from: number) {
  const numbers = new Map<string, number>();
  let next = from;
  for (const { file_id: fileId } of rows) {
    if (numbers.has(fileId)) continue;
    const file = files.get(fileId);
    numbers.set(fileId, file?.first_number ?? next);
    if (file?.first_number === null) next += file.chunks + 1;
  }
  return { numbers, next };
}

function collectRuns(
  rows: readonly TailRow[],
  files: ReadonlyMap<string, LockedFile>,
  numbers: ReadonlyMap<string, number>,
): Map<string, PostingRun[]> {
  const runs = new Map<string, PostingRun[]>();
  for (const { file_id: fileId, data } of rows) {
    const first = numbers.get(fileId) ?? 0;
    for (const [term, run] of termsOfTail(data, first)) {
      const whole = isFacet(term) ? facetRun(first, (files.get(fileId)?.chunks ?? 0) + 1) : run;
      const known = runs.get(term);
      if (known) known.push(whole);
      else runs.set(term, [whole]);
    }
  }
  return runs;
}

async function writePostings(
  transaction: Transaction,
  tenantId: string,
  runs: ReadonlyMap<string, readonly PostingRun[]>,
): Promise<void> {
  const lasts = await transaction.query<BlockEnd>(lastBlocks, [tenantId, [...runs.keys()]]);
  const { extended, inserted } = appendPostings(runs, lasts);
  await transaction.query(extendBlocks, [tenantId, ...columnsOf(extended)]);
  await transaction.query(insertBlocks, [tenantId, ...columnsOf(inserted)]);
}

export const columnsOf = (blocks: readonly Block[]) => [
  blocks.map((block) => block.term),
  blocks.map((block) => block.first),
  blocks.map((block) => block.last),
  blocks.map((block) => block.count),
  blocks.map((block) => block.data),
];
