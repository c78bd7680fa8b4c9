// Moves files from the tail of a tenant to its blocks: assigns numbers to their passages, and appends their postings.
//
// A merge holds the tenant's advisory lock and locks the rows of the files it moves. It skips what is locked instead of waiting, so it
// cannot deadlock.
import { Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { appendPostings, type Block, type BlockEnd } from './append-postings.domain.js';
import { isFacet } from '../postings/domain/facet.js';
import type { PostingList } from '../postings/domain/postings.js';
import type { FileEntity } from '../text-index/file.entity.js';
import { sumsOf } from '../text-index/passage-totals.entity.js';
import type { TailPartEntity } from '../text-index/tail-part.entity.js';
import { facetList, termsOfTail } from '../postings/domain/tail-data.js';
import { numberArray, textArray } from '../array-literal.rows.js';
import * as sql from './merge.statements.js';
import { lockTenantIndex } from './lock-tenant-index.statement.js';
import type { TenantIndexEntity } from './tenant-index.entity.js';

/** The limits of one transaction, unless a single row has more. */
const PASSAGES_PER_MERGE = 1_024;
const BYTES_PER_MERGE = 4_194_304;
const ROWS_PER_MERGE = 1_024;

type LockedFile = Pick<FileEntity, 'file_id' | 'first_number' | 'chunks'>;
type TailPart = Pick<TailPartEntity, 'file_id' | 'part'>;
type TailRow = Omit<TailPartEntity, 'tenant_id' | 'last_place' | 'job_number' | 'fence'>;

interface Merge {
  transaction: Transaction;
  tenantId: string;
  index: TenantIndexEntity;
}

@Injectable()
export class MergeStore {
  constructor(private readonly database: Database) {}

  /**
   * Merges some of the tail if it has at least `threshold` passages. Returns true when there may be more to merge. `only`: no other files are
   * merged.
   */
  mergeTail(tenantId: string, threshold: number, only: readonly string[] | null = null): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const index = await lockTenantIndex(transaction, tenantId);
      if (!index) return false;
      const merge = { transaction, tenantId, index };
      const files = await lockChosenFiles(merge, threshold, only);
      if (files.size === 0) return false;
      const parts = await chooseParts(merge, files);
      if (parts.length === 0) return false;
      await mergeParts(merge, files, parts);
      return true;
    });
  }
}

/** Empty when the tail is short, or when a writer has locked the partial file: files with higher numbers must not be merged before it. */
async function lockChosenFiles(
  { transaction, tenantId, index }: Merge,
  threshold: number,
  only: readonly string[] | null,
): Promise<Map<string, LockedFile>> {
  const [chosen] = await transaction.query<{ passages: number; file_ids: string[]; partial_file_id: string | null }>(
    sql.chooseFiles,
    [tenantId, Math.max(ROWS_PER_MERGE, threshold), index.partial_file_id, only],
  );
  if (!chosen || chosen.passages < threshold) return new Map();
  const partial = chosen.partial_file_id;
  const ids = [...chosen.file_ids, ...(partial === null ? [] : [partial])];
  const locked = await transaction.query<LockedFile>(sql.lockFiles, [tenantId, ids]);
  const files = new Map(locked.map((file) => [file.file_id, file]));
  return partial === null || files.has(partial) ? files : new Map();
}

async function chooseParts(
  { transaction, tenantId, index }: Merge,
  files: ReadonlyMap<string, LockedFile>,
): Promise<TailPart[]> {
  const rows = await transaction.query<TailPart & { passages: number; bytes: number }>(sql.readTailSizes, [
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
  const taken = await transaction.query<TailRow>(sql.takeTail, [
    tenantId,
    parts.map((part) => part.file_id),
    parts.map((part) => part.part),
  ]);
  const rowByPart = new Map(taken.map((row) => [`${row.file_id} ${row.part}`, row]));
  const rows = parts.flatMap((part) => rowByPart.get(`${part.file_id} ${part.part}`) ?? []);
  const { numbers, next } = assignNumbers(rows, files, index.next_number);
  await writePostings(transaction, tenantId, collectLists(rows, files, numbers));
  const added = [...numbers].filter(([fileId]) => files.get(fileId)?.first_number === null);
  await transaction.query(sql.numberFiles, [tenantId, added.map(([id]) => id), added.map(([, number]) => number)]);
  await transaction.query(sql.recordMerge, [tenantId, next, ...sumsOf(rows), rows.at(-1)?.file_id]);
}

/** A file gets one number for its title and one for each chunk, even for those without terms. */
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

function collectLists(
  rows: readonly TailRow[],
  files: ReadonlyMap<string, LockedFile>,
  numbers: ReadonlyMap<string, number>,
): Map<string, PostingList[]> {
  const lists = new Map<string, PostingList[]>();
  for (const { file_id: fileId, data } of rows) {
    const first = numbers.get(fileId) ?? 0;
    for (const [term, list] of termsOfTail(data, first)) {
      const whole = isFacet(term) ? facetList(first, (files.get(fileId)?.chunks ?? 0) + 1) : list;
      const known = lists.get(term);
      if (known) known.push(whole);
      else lists.set(term, [whole]);
    }
  }
  return lists;
}

async function writePostings(
  transaction: Transaction,
  tenantId: string,
  lists: ReadonlyMap<string, readonly PostingList[]>,
): Promise<void> {
  const lasts = await transaction.query<BlockEnd>(sql.lastBlocks, [tenantId, textArray([...lists.keys()])]);
  const { extended, inserted } = appendPostings(lists, lasts);
  await transaction.query(sql.extendBlocks, [tenantId, ...columnsOf(extended)]);
  await transaction.query(sql.insertBlocks, [tenantId, ...columnsOf(inserted)]);
}

export const columnsOf = (blocks: readonly Block[]) => [
  textArray(blocks.map((block) => block.term)),
  numberArray(blocks.map((block) => block.first)),
  numberArray(blocks.map((block) => block.last)),
  numberArray(blocks.map((block) => block.count)),
  textArray(blocks.map((block) => block.data)),
];
