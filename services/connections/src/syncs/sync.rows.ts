import { rangeToEnd, type ListingRange } from './domain/listing-range.js';
import type { SyncEntity } from './sync.entity.js';

export const SYNC_COLUMNS = `tenant_id, id, connection_id, status, force, fence, failures, bucket_failures, connection_version, position, next_cursor, ranges, inventory, listed, nodes_before,
  expected_count, synced_count, files_added, files_updated, files_deleted, files_moved, files_queued, files_excluded,
  skipped, error_code, error_message, created_at, started_at,
  completed_at`;

/** The columns of a sync that are read. */
export type SyncRow = Omit<
  SyncEntity,
  'due_at' | 'leased' | 'empty_pages' | 'nodes_added' | 'nodes_listed' | 'is_resumable'
>;

type Mode = Pick<SyncRow, 'connection_version' | 'inventory'>;

const isModeOfThisRelease = ({ connection_version: version }: Mode): boolean => version !== null && version < 0;

/** Whether the pages of this listing mark the nodes that they do not contain. The mode is chosen when the listing begins. */
export const listsByRange = (sync: Mode): boolean => isModeOfThisRelease(sync) && sync.inventory === null;

/** The inventory that is read in place of a listing. */
export const inventoryOf = (sync: Mode): SyncRow['inventory'] => (isModeOfThisRelease(sync) ? sync.inventory : null);

/** When the sync began to list, or to read an inventory. */
export const beginningOf = (sync: SyncRow): Date | null =>
  sync.inventory !== null && sync.started_at !== null ? sync.created_at : sync.started_at;

/** The ranges of the listing. A listing that is not split has one. */
export const rangesOf = (
  sync: Pick<SyncRow, keyof Mode | 'ranges' | 'position' | 'next_cursor'>,
): readonly ListingRange[] =>
  (listsByRange(sync) ? sync.ranges : null) ?? [rangeToEnd(sync.position, sync.next_cursor)];

/** The version of the connection whose bucket is listed. Null for a sync of a process that stores none. */
export const listedVersion = ({ connection_version: version }: Pick<SyncRow, 'connection_version'>): number | null =>
  version === null ? null : Math.abs(version);
