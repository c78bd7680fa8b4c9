// The list of what happens: one row for each file, the latest change first.
import type { Schemas, StreamedEvent } from '@kiln/sdk';
import { parseTime } from '../../../ui/formats.js';

export interface LiveFile {
  id: string;
  filename: string;
  space: string;
  status: string;
  /** From 0 to 1, while the file is processed. */
  progress: number | null;
  step: string | null;
  error: string | null;
  at: string;
}

const ROWS_MAX = 50;
const IDLE = { progress: null, step: null, error: null };

export const liveFileOf = (file: Schemas['FileSummary']): LiveFile => ({
  id: file.id,
  filename: file.filename,
  space: file.space,
  status: file.status,
  ...IDLE,
  at: file.updated_at,
});

/** Returns the same rows if the event changes none. */
export function applyEvent(rows: readonly LiveFile[], event: StreamedEvent): readonly LiveFile[] {
  if (event.type === 'file.created') {
    const { file_id: id, filename, space, job_id: jobId } = event.data;
    return first(rows, {
      id,
      filename,
      space,
      status: jobId ? 'processing' : 'uploaded',
      ...IDLE,
      at: event.created_at,
    });
  }
  if (event.type === 'job.progress') {
    const { file_id: id, progress, step } = event.data;
    return changed(rows, id, { status: 'processing', progress, step });
  }
  if (event.type === 'file.processing.completed' || event.type === 'file.processing.failed') {
    const { file_id: id, filename, space } = event.data;
    const end =
      event.type === 'file.processing.failed'
        ? { status: 'failed', ...IDLE, error: event.data.error.message }
        : { status: 'completed', ...IDLE };
    return first(rows, { id, filename, space, ...end, at: event.created_at });
  }
  if (event.type !== 'file.deleted' || !rows.some(({ id }) => id === event.data.file_id)) return rows;
  return rows.filter(({ id }) => id !== event.data.file_id);
}

/** An event can arrive twice, and late: a later state of the same file stays. */
function first(rows: readonly LiveFile[], row: LiveFile): readonly LiveFile[] {
  const known = rows.find(({ id }) => id === row.id);
  if (known && parseTime(known.at) > parseTime(row.at)) return rows;
  return [row, ...rows.filter(({ id }) => id !== row.id)].slice(0, ROWS_MAX);
}

function changed(rows: readonly LiveFile[], id: string, change: Partial<LiveFile>): readonly LiveFile[] {
  const known = rows.find((row) => row.id === id);
  if (!known || known.status === 'completed' || known.status === 'failed') return rows;
  return rows.map((row) => (row === known ? { ...row, ...change } : row));
}
