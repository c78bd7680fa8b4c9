// Uploads many files, several at a time. A file that fails does not end the others.
import { stat } from 'node:fs/promises';
import { describeFailure, type Failure } from '../describe-failure.js';
import { CommandFailure } from '../exit-codes.js';
import type { FoundFile } from './find-files.js';
import { Uploader, type Uploaded, type UploadSettings } from './uploader.js';

export type Outcome = { file: FoundFile } & (
  | { uploaded: Uploaded; failure?: undefined }
  | { uploaded?: undefined; failure: Failure }
);

export interface UploadState {
  totalFiles: number;
  totalBytes: number;
  doneFiles: number;
  /** Of files that are done. */
  doneBytes: number;
  /** Bytes that were sent by this run, for the speed. */
  sentBytes: number;
  /** The files that are worked on, by name. */
  active: ReadonlyMap<string, { sentBytes: number; sizeBytes: number }>;
}

interface Run {
  files: readonly FoundFile[];
  concurrency: number;
  settings: UploadSettings;
  onChange: (state: UploadState, ended?: Outcome) => void;
}

/** Returns the outcomes in the order of the files, and those so far if the signal is aborted. Throws if the key is refused, because no file can succeed then. */
export async function uploadAll({ files, concurrency, settings, onChange }: Run): Promise<Outcome[]> {
  const sized: { file: FoundFile; sizeBytes: number }[] = [];
  for (const file of files) sized.push({ file, sizeBytes: (await stat(file.path).catch(() => null))?.size ?? 0 });
  const outcomes = new Map<FoundFile, Outcome>();
  const active = new Map<string, { sentBytes: number; sizeBytes: number }>();
  const totalBytes = sized.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const state = { totalFiles: files.length, totalBytes, doneFiles: 0, doneBytes: 0, sentBytes: 0, active };
  const refused = new AbortController();
  const signal = AbortSignal.any([settings.signal, refused.signal]);
  const uploader = new Uploader({ ...settings, signal });
  const entries = sized.values();
  const next = async (): Promise<void> => {
    for (const { file, sizeBytes } of entries) {
      if (signal.aborted) return;
      let former = 0;
      active.set(file.path, { sentBytes: 0, sizeBytes });
      const outcome = await outcomeOf(uploader, file, signal, (sentBytes) => {
        state.sentBytes += Math.max(0, sentBytes - former);
        former = sentBytes;
        active.set(file.path, { sentBytes, sizeBytes });
        onChange(state);
      });
      active.delete(file.path);
      if (!outcome) return;
      outcomes.set(file, outcome);
      state.doneFiles += 1;
      state.doneBytes += sizeBytes;
      onChange(state, outcome);
    }
  };
  const work = () =>
    next().catch((error: unknown) => {
      // The other uploads would continue until their next request.
      refused.abort(error);
      throw error;
    });
  await Promise.all(Array.from({ length: concurrency }, work));
  return files.flatMap((file) => outcomes.get(file) ?? []);
}

/** Null if the run was interrupted. */
async function outcomeOf(
  uploader: Uploader,
  file: FoundFile,
  signal: AbortSignal,
  onProgress: (sentBytes: number) => void,
): Promise<Outcome | null> {
  try {
    return { file, uploaded: await uploader.upload(file, onProgress) };
  } catch (error) {
    if (signal.aborted) return null;
    const failure = await describeFailure(error, signal);
    if (failure.exit === 'auth') throw new CommandFailure('auth', failure.message);
    return { file, failure };
  }
}
