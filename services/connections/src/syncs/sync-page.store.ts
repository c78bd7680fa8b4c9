// The writes of a listing: its beginning, and each page with its checkpoint. Each is one statement, which does nothing once the lease is lost.
import type { RuleName } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { ListedNode } from '../nodes/listed-nodes.domain.js';
import type { InventoryOfSync } from '../external-buckets/domain/inventory-manifest.js';
import type { ListingRange } from './domain/listing-range.js';
import type { NodeColumns } from '../nodes/node-columns.domain.js';
import { commitPage } from './sync-page.statement.js';
import { SYNC_COLUMNS, type SyncRow } from './sync.rows.js';
import { LEASE_SECONDS, leaseValues, type SyncLease } from './sync.store.js';

/** Files that this sync has listed already. A committed upload marks its node as seen too. */
const hasSeen = statement(
  'sync_pages.has_seen',
  `select 1 from syncs s
     join nodes n on n.tenant_id = $1 and n.connection_id = $3 and n.path = any ($4::text[]) and n.is_file and n.seen_at >= s.started_at
   where s.tenant_id = $1 and s.id = $2
     and not exists (select 1 from node_uploads u where u.tenant_id = $1 and u.connection_id = $3 and u.path = n.path)
   limit 1`,
);
const now = statement('sync_pages.now', 'select clock_timestamp() as now');
/** Fenced. */
const begin = statement(
  'sync_pages.begin',
  `update syncs set nodes_before = $4, connection_version = case when $5::boolean then -abs(connection_version) else connection_version end,
     inventory = $6::jsonb, started_at = coalesce($7::timestamptz, started_at)
   where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing' returning ${SYNC_COLUMNS}`,
);

/** Fenced. */
const split = statement(
  'sync_pages.split',
  `update syncs set ranges = $4::jsonb where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing' returning 1`,
);

/** The range to which a page belongs, before the page. */
export interface RangeOfPage {
  /** Its place among the ranges of the listing. Null when the listing is not split. */
  number: number | null;
  range: ListingRange;
}

export interface Page {
  nodes: readonly ListedNode[];
  /** Of the nodes to write. The other nodes are stored as they are listed. */
  columns: NodeColumns;
  /** The rules that leave objects out of automatic processing, by path. */
  excluded: ReadonlyMap<string, RuleName>;
  /** Paths of objects whose properties cannot be stored. Their earlier nodes stay unchanged. */
  unstorable: readonly string[];
  /** The last key of the page. Null for a page without objects. */
  position: string | null;
  /** The provider's token for the next page. Null for the last page. */
  nextCursor: string | null;
  skipped: number;
  /** A time of the database before the page was requested. */
  requestedAt: Date;
}

export type ListingMode = { byRange: boolean } | { inventory: InventoryOfSync; createdAt: Date };

export interface CommittedPage {
  /** Consecutive empty pages, this one included. */
  empty_pages: number;
  /** Objects skipped by the whole sync. */
  skipped: number;
  /** By the clock of the database. */
  committed_at: Date;
}

@Injectable()
export class SyncPageStore {
  constructor(private readonly database: Database) {}

  /**
   * Null when nothing was written, because the lease is lost, or the listing contains more than `nodesMax` nodes, or the connection would have
   * more than twice as many, with those that are gone.
   */
  async commit(
    lease: SyncLease,
    connectionId: string,
    { number, range }: RangeOfPage,
    { nodes, columns, excluded, unstorable, position, nextCursor, skipped, requestedAt }: Page,
    nodesMax: number,
  ): Promise<CommittedPage | null> {
    const checkpoint = number === null ? null : JSON.stringify(rangeAfterPage(range, { position, nextCursor }));
    const files = nodes.filter(({ file }) => file !== null);
    const filesExcluded = files.filter(({ path }) => excluded.has(path)).length;
    const [committed] = await this.database.query<CommittedPage>(commitPage, [
      ...leaseValues(lease),
      connectionId,
      position,
      ...columns.stored,
      LEASE_SECONDS,
      skipped,
      nextCursor,
      unstorable,
      nodesMax,
      requestedAt,
      columns.archivedIn,
      columns.excludedBy,
      files.length,
      filesExcluded,
      nodes.length - columns.count,
      range.position ?? range.after,
      range.after,
      number,
      checkpoint,
    ]);
    return committed ?? null;
  }

  /** Stores the ranges of a listing that was split. False when the lease is lost. */
  async split(lease: SyncLease, ranges: readonly ListingRange[]): Promise<boolean> {
    return (await this.database.query(split, [...leaseValues(lease), JSON.stringify(ranges)])).length > 0;
  }

  /** Whether an earlier page of this listing contained one of the keys. */
  async hasSeen({ tenantId, id }: SyncLease, connectionId: string, keys: readonly string[]): Promise<boolean> {
    return (await this.database.query(hasSeen, [tenantId, id, connectionId, keys])).length > 0;
  }

  /** The time by the clock of the database. */
  async now(): Promise<Date> {
    const [row] = await this.database.query<{ now: Date }>(now, []);
    return row?.now ?? new Date(0);
  }

  /**
   * Stores how many nodes the connection has when its listing begins, and whether the listing is one by ranges, or an inventory. Null when the lease
   * is lost.
   */
  async begin(lease: SyncLease, nodes: number, mode: ListingMode): Promise<SyncRow | null> {
    const values =
      'byRange' in mode ? [mode.byRange, null, null] : [true, JSON.stringify(mode.inventory), mode.createdAt];
    const [row] = await this.database.query<SyncRow>(begin, [...leaseValues(lease), nodes, ...values]);
    return row ?? null;
  }
}

/** The checkpoint of a range with a further page. */
export const rangeAfterPage = (
  range: ListingRange,
  { position, nextCursor }: Pick<Page, 'position' | 'nextCursor'>,
): ListingRange => ({
  ...range,
  position: position ?? range.position,
  cursor: nextCursor,
  listed: nextCursor === null,
});
