// Deletes the postings of removed passages. Removed numbers are first collected in windows. When a quarter of the merged passages is
// removed, a purge rewrites all blocks of the tenant, a batch in each transaction. At its end no block contains a number of the windows. So
// numbers that are removed during a purge are collected in other windows, which are copies: the next purge needs their ranges.
import { Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { Between } from 'typeorm';
import { sumsOf } from '../text-index/passage-totals.entity.js';
import type { RemovedRangeEntity } from '../text-index/removed-range.entity.js';
import type { Block } from './append-postings.domain.js';
import { NumberSet, windowOf } from '../postings/domain/number-set.js';
import { purgeBlocks } from './purge-blocks.domain.js';
import { columnsOf } from './merge.store.js';
import { insertBlocks } from './merge.statements.js';
import * as sql from './purge.statements.js';
import { CollectedWindowEntity } from './collected-window.entity.js';
import { lockTenantIndex } from './lock-tenant-index.statement.js';
import { RemovedWindowEntity } from './removed-window.entity.js';
import { TenantIndexEntity } from './tenant-index.entity.js';

const RANGES_PER_TRANSACTION = 1_000;
const BLOCKS_PER_TRANSACTION = 256;
const REMOVED_SHARE_MAX = 0.25;

type RemovedRange = Omit<RemovedRangeEntity, 'tenant_id'>;

@Injectable()
export class PurgeStore {
  constructor(private readonly database: Database) {}

  /**
   * Moves removed ranges to windows if they have at least `threshold` numbers. During a purge, copies them. Returns true when there may be
   * more.
   */
  collectRemoved(tenantId: string, threshold: number): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const index = await lockTenantIndex(transaction, tenantId);
      if (!index) return false;
      const values = [tenantId, threshold, RANGES_PER_TRANSACTION];
      if (index.purge_term !== null) return copyRanges(transaction, tenantId, values);
      const ranges = await transaction.query<RemovedRange>(sql.takeRanges, values);
      await transaction.query(sql.deleteCollected, [tenantId]);
      if (ranges.length === 0) return false;
      await addToWindows(transaction, tenantId, ranges, RemovedWindowEntity);
      await transaction.query(sql.recordRemoved, [tenantId, ...sumsOf(ranges)]);
      return true;
    });
  }

  /** Processes the next blocks of a purge, or begins a purge when a quarter is removed. Returns true when there is more to do. */
  purgeNext(tenantId: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const index = await lockTenantIndex(transaction, tenantId);
      if (!index || (index.purge_term === null && !isWorthPurging(index))) return false;
      const from = [index.purge_term ?? '', index.purge_first ?? -1];
      const blocks = await transaction.query<Block>(sql.readBlocks, [tenantId, ...from, BLOCKS_PER_TRANSACTION]);
      const last = blocks.at(-1);
      if (!last) {
        await transaction.query(sql.endPurge, [tenantId]);
        // Ranges can be moved to windows again.
        return true;
      }
      const { deleted, inserted } = purgeBlocks(blocks, await readRemoved(transaction, tenantId, blocks));
      await transaction.query(sql.deleteBlocks, [tenantId, deleted.map((b) => b.term), deleted.map((b) => b.first)]);
      await transaction.query(insertBlocks, [tenantId, ...columnsOf(inserted)]);
      const progress = { purge_term: last.term, purge_first: last.last };
      await transaction.manager.update(TenantIndexEntity, { tenant_id: tenantId }, progress);
      return true;
    });
  }
}

function isWorthPurging({ chunks, titles, removed_chunks, removed_titles }: TenantIndexEntity): boolean {
  const removed = removed_chunks + removed_titles;
  return removed > 0 && removed >= REMOVED_SHARE_MAX * (chunks + titles);
}

async function copyRanges(transaction: Transaction, tenantId: string, values: unknown[]): Promise<boolean> {
  const ranges = await transaction.query<RemovedRange>(sql.markRanges, values);
  if (ranges.length > 0) await addToWindows(transaction, tenantId, ranges, CollectedWindowEntity);
  return ranges.length > 0;
}

async function addToWindows(
  transaction: Transaction,
  tenantId: string,
  ranges: readonly Pick<RemovedRange, 'first_number' | 'numbers'>[],
  entity: typeof RemovedWindowEntity,
): Promise<void> {
  const removed = new NumberSet();
  for (const { first_number: first, numbers } of ranges) removed.addRange(first, numbers);
  const windows = [...removed.bitmaps.keys()];
  await loadStored(transaction, tenantId, removed, windows, entity);
  const write = entity === CollectedWindowEntity ? sql.writeCollected : sql.writeWindows;
  await transaction.query(write, [tenantId, windows, windows.map((window) => removed.rangesOf(window))]);
}

async function readRemoved(transaction: Transaction, tenantId: string, blocks: readonly Block[]): Promise<NumberSet> {
  const removed = new NumberSet();
  const windows = blocks.flatMap(({ first, last }) => [windowOf(first), windowOf(last)]);
  await loadStored(transaction, tenantId, removed, windows, RemovedWindowEntity);
  return removed;
}

/** Loads the stored windows from the lowest of `windows` to the highest. */
async function loadStored(
  transaction: Transaction,
  tenantId: string,
  into: NumberSet,
  windows: readonly number[],
  entity: typeof RemovedWindowEntity,
): Promise<void> {
  const stored = Between(Math.min(...windows), Math.max(...windows));
  const rows = await transaction.manager.findBy(entity, { tenant_id: tenantId, window_number: stored });
  for (const row of rows) into.load(row.window_number, row.ranges);
}
