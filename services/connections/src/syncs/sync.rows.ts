import type { SyncEntity } from './sync.entity.js';

export const SYNC_COLUMNS = `tenant_id, id, connection_id, status, force, fence, failures, bucket_failures, connection_version, position, next_cursor, listed, nodes_before,
  expected_count, synced_count, files_added, files_updated, files_deleted, files_moved, files_queued, files_excluded,
  skipped, error_code, error_message, created_at, started_at,
  completed_at`;

/** The columns of a sync that are read. */
export type SyncRow = Omit<
  SyncEntity,
  'due_at' | 'leased' | 'empty_pages' | 'nodes_added' | 'nodes_listed' | 'is_resumable'
>;
