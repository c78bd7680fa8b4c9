import { encodeId, formatTimestamp, type ConnectionsOutput } from '@kiln/contracts';
import { beginningOf, type SyncRow } from './sync.rows.js';

type SyncView = ConnectionsOutput<'startSync'>;

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
    files_moved: row.files_moved,
    files_queued: row.files_queued,
    files_excluded: row.files_excluded,
    skipped: row.skipped,
    error: code === null ? null : { code, message: message ?? '' },
    started_at: instant(beginningOf(row)),
    completed_at: instant(row.completed_at),
  };
}
