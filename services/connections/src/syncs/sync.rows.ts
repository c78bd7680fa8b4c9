import { rangeToEnd, type ListingRange } from './domain/listing-range.js';
import type { SyncEntity } from './sync.entity.js';

export const SYNC_COLUMNS = `tenant_id, id, connection_id, status, force, fence, failures, bucket_failures, connection_version, position, next_cursor, ranges, listed, nodes_before,
  expected_count, synced_count, files_added, files_updated, files_deleted, files_moved, files_queued, files_excluded,
  skipped, error_code, error_message, created_at, started_at,
  completed_at`;

/** The columns of a sync that are read. */
export type SyncRow = Omit<
  SyncEntity,
  'due_at' | 'leased' | 'empty_pages' | 'nodes_added' | 'nodes_listed' | 'is_resumable'
>;

/** Whether the pages of this listing mark the nodes that they do not contain. The mode is chosen when the listing begins. */
export const listsByRange = ({ connection_version: version }: Pick<SyncRow, 'connection_version'>): boolean =>
  version !== null && version < 0;

/** The ranges of the listing. A listing that is not split has one. */
export const rangesOf = (
  sync: Pick<SyncRow, 'connection_version' | 'ranges' | 'position' | 'next_cursor'>,
): readonly ListingRange[] =>
  (listsByRange(sync) ? sync.ranges : null) ?? [rangeToEnd(sync.position, sync.next_cursor)];

/** The version of the connection whose bucket is listed. Null for a sync of a process that stores none. */
export const listedVersion = ({ connection_version: version }: Pick<SyncRow, 'connection_version'>): number | null =>
  version === null ? null : Math.abs(version);
