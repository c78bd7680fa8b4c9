// Lines and a block that show how far an upload is.
import { basename } from 'node:path';
import { cleanLine } from '../terminal/clean.js';
import { formatBytes, formatPercent, formatSeconds } from '../terminal/format.js';
import { bar, type Progress } from '../terminal/progress.js';
import type { Outcome, UploadState } from './upload-all.js';

const BAR_WIDTH = 20;

/** Returns the listener of an upload. The clock gives milliseconds. */
export function reportUploads(progress: Progress, clock: () => number) {
  const startedAt = clock();
  return (state: UploadState, ended?: Outcome): void => {
    if (ended) progress.log(lineOf(ended));
    progress.show(blockOf(state, (clock() - startedAt) / 1_000));
  };
}

function lineOf({ file, uploaded, failure }: Outcome): string {
  const name = cleanLine(file.name);
  if (failure) return `failed    ${name}: ${cleanLine(failure.message)}`;
  return uploaded.outcome === 'present' ? `present   ${name}` : `uploaded  ${name}`;
}

/** A line for all files, and one for each that is worked on. */
export function blockOf({ active, ...state }: UploadState, seconds: number): string[] {
  const running = [...active];
  const doneBytes = running.reduce((sum, [, { sentBytes }]) => sum + sentBytes, state.doneBytes);
  const share = state.totalBytes === 0 ? 1 : doneBytes / state.totalBytes;
  const speed = seconds > 0 ? state.sentBytes / seconds : 0;
  const eta = speed > 0 ? `  ${formatSeconds((state.totalBytes - doneBytes) / speed)} left` : '';
  return [
    `${bar(share, BAR_WIDTH)} ${formatPercent(share)}  ${state.doneFiles} of ${state.totalFiles} files  ${formatBytes(doneBytes)} of ${formatBytes(state.totalBytes)}${eta}`,
    ...running.map(
      ([path, { sentBytes, sizeBytes }]) =>
        `  ${formatPercent(sizeBytes === 0 ? 1 : sentBytes / sizeBytes).padStart(5)}  ${cleanLine(basename(path))}`,
    ),
  ];
}
