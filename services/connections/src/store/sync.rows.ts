import { encodeId, formatTimestamp, type OperationOutput, type syncsOperations } from '@kiln/contracts';

type SyncView = OperationOutput<(typeof syncsOperations)['startSync']>;

export interface SyncRow {
  tenant_id: string;
  id: string;
  connection_id: string;
  status: SyncView['status'];
  force: boolean;
  fence: number;
  failures: number;
  /** The last key that was committed. */
  position: string | null;
  /** The provider's own token for the page after it; null before the first page and after the last. */
  next_cursor: string | null;
  /** The bucket has been listed to its end; what it no longer holds is being removed. */
  listed: boolean;
  nodes_before: number | null;
  expected_count: number | null;
  synced_count: number;
  files_added: number;
  files_updated: number;
  files_deleted: number;
  skipped: number;
  error_code: string | null;
  error_message: string | null;
  started_at: Date | null;
  completed_at: Date | null;
}

export const SYNC_COLUMNS = `tenant_id, id, connection_id, status, force, fence, failures, position, next_cursor, listed, nodes_before,
  expected_count, synced_count, files_added, files_updated, files_deleted, skipped, error_code, error_message, started_at, completed_at`;

const instant = (date: Date | null) => (date === null ? null : formatTimestamp(date));

export function syncView(row: SyncRow): SyncView {
  const { error_code: code, error_message: message } = row;
  return {
    id: encodeId('sync', row.id),
    status: row.status,
    synced_count: row.synced_count,
    files_added: row.files_added,
    files_updated: row.files_updated,
    files_deleted: row.files_deleted,
    skipped: row.skipped,
    error: code === null ? null : { code, message: message ?? '' },
    started_at: instant(row.started_at),
    completed_at: instant(row.completed_at),
  };
}
