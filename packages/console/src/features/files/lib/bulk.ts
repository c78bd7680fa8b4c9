// One action for many files, in requests of at most 100.
import type { Kiln, Schemas } from '@kiln/sdk';
import { formatCount, plural } from '../../../ui/formats.js';

export type FileRow = Schemas['FileSummary'];
export type BulkAction = 'delete' | 'reprocess' | 'retry' | 'cancel';

export interface BulkProgress {
  done: number;
  /** Null while the files are still being counted. */
  total: number | null;
  failed: readonly { id: string; message: string }[];
}

export const REQUEST_MAX = 100;
export const ACTION_MAX = 100_000;

export const pastTense = { delete: 'deleted', reprocess: 'queued', retry: 'retried', cancel: 'cancelled' } as const;

type Api = {
  files: Pick<Kiln['files'], 'deleteMany' | 'processMany'>;
  jobs: Pick<Kiln['jobs'], 'retryMany' | 'cancelMany'>;
};
type Failed = BulkProgress['failed'];

/** Whether the action can change the file. */
export function applies(action: BulkAction, { status, job_id: jobId }: Pick<FileRow, 'status' | 'job_id'>): boolean {
  if (action === 'retry') return status === 'failed' && jobId !== null;
  if (action === 'cancel') return (status === 'processing' || status === 'uploading') && jobId !== null;
  return action === 'delete' || status !== 'uploading';
}

/** Runs until all files are done or the signal ends it. Rejects if a whole request fails; what was done until then stays done. */
export async function runBulk(
  kiln: Api,
  action: BulkAction,
  rows: readonly FileRow[],
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: BulkProgress) => void },
): Promise<BulkProgress> {
  const wanted = rows.filter((row) => applies(action, row));
  let progress: BulkProgress = { done: 0, total: wanted.length, failed: [] };
  onProgress(progress);
  for (let start = 0; start < wanted.length; start += REQUEST_MAX) {
    signal.throwIfAborted();
    const part = wanted.slice(start, start + REQUEST_MAX);
    const failed = await requests[action](kiln, part, signal);
    progress = { ...progress, done: progress.done + part.length, failed: [...progress.failed, ...failed] };
    onProgress(progress);
  }
  return progress;
}

/** `changed` of the selected files were changed. */
export function summaryOf(action: BulkAction, changed: number, selected: number): string {
  const limit = selected < ACTION_MAX ? '' : ` One action changes at most ${formatCount(ACTION_MAX)} files.`;
  return `${plural(changed, 'file')} ${pastTense[action]}.${limit}`;
}

export const idsOf = (rows: readonly FileRow[]) => rows.map(({ id }) => id);
export const jobsOf = (rows: readonly FileRow[]) => rows.flatMap(({ job_id: jobId }) => jobId ?? []);

const requests: Readonly<
  Record<BulkAction, (kiln: Api, rows: readonly FileRow[], signal: AbortSignal) => Promise<Failed>>
> = {
  delete: async ({ files }, rows, signal) =>
    // Another request has deleted the file already.
    ofFiles((await files.deleteMany({ file_ids: idsOf(rows) }, { signal })).errors).filter(
      ({ code }) => code !== 'NOT_FOUND',
    ),
  reprocess: async ({ files }, rows, signal) =>
    ofFiles((await files.processMany({ file_ids: idsOf(rows) }, { signal })).errors),
  retry: async ({ jobs }, rows, signal) => ofJobs((await jobs.retryMany({ job_ids: jobsOf(rows) }, { signal })).errors),
  cancel: async ({ jobs }, rows, signal) =>
    ofJobs((await jobs.cancelMany({ job_ids: jobsOf(rows) }, { signal })).errors),
};

const ofFiles = (errors: readonly { file_id: string; message: string; code: string }[]) =>
  errors.map(({ file_id: id, message, code }) => ({ id, message, code }));
const ofJobs = (errors: readonly { job_id: string; message: string }[]) =>
  errors.map(({ job_id: id, message }) => ({ id, message }));
