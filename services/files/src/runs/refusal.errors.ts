// How a run is identified, and why one is refused.
import { conflict, superseded, uuidOf, type CodedError, type FilesInput } from '@kiln/contracts';
import type { Run, RunState } from './run.store.js';

type RunInput = FilesInput<'openSource'>;

export const runOf = (input: RunInput): Run => ({
  fileId: uuidOf('file', input.file_id),
  jobId: uuidOf('job', input.job_id),
  fence: input.fence,
});

export interface Refusal {
  code: 'SUPERSEDED' | 'CONFLICT';
  message: string;
}

/** Why a run may not change its file. */
export function refusalOf(state: RunState | undefined): Refusal {
  if (!state) return { code: 'SUPERSEDED', message: 'The file was deleted.' };
  if (state.status === 'uploading') {
    return { code: 'CONFLICT', message: 'The bytes of the file are not in storage yet.' };
  }
  return { code: 'SUPERSEDED', message: 'A newer run of this file has begun, or this one has ended.' };
}

export const refusalError = ({ code, message }: Refusal): CodedError =>
  code === 'CONFLICT' ? conflict(message) : superseded(message);

/** Whether this run has changed a file that a statement of runs has returned. */
export const isOf = (run: Run, file: { job_id: string | null; job_fence: number } | undefined): boolean =>
  file?.job_id === run.jobId && file.job_fence === run.fence;
