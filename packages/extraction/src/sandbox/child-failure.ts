/** Converts the end of a child process into an error for the owner of the file. */
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { formatBytes } from '@kiln/pdf/format-bytes';

export function memoryError(filename: string, memoryBytesMax: number): ExtractionError {
  return new ExtractionError(
    'file_too_large',
    `Reading "${filename}" needs more memory than the ${formatBytes(memoryBytesMax)} allowed. Split it into smaller files.`,
  );
}

export function deadlineError(filename: string, deadlineMs: number): ExtractionError {
  return new ExtractionError(
    'timeout',
    `Reading "${filename}" took longer than ${Math.round(deadlineMs / 100) / 10} s and was stopped. Split it into smaller files.`,
  );
}

export function diskFullError(cause: ExtractionError): ExtractionError {
  return new ExtractionError('unavailable', 'The disk on which documents are read is full. Try again.', { cause });
}

interface Crash {
  filename: string;
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Whether the child had started. Before that, it has not seen the document. */
  wasReady: boolean;
  stderr: string;
  memoryBytesMax: number;
  cause?: Error | undefined;
}

/**
 * A reader that crashes on a file would crash again, so the file is reported as corrupt and is not retried. The file is not to
 * blame if the child never started (then no file can be read), or was killed from outside (by an operator, or by the system when memory ran out).
 */
export function crashError(crash: Crash): ExtractionError {
  if (/heap out of memory|Array buffer allocation failed|allocation failed/i.test(crash.stderr))
    return memoryError(crash.filename, crash.memoryBytesMax);
  const cause = crash.cause ?? new Error(crash.stderr);
  if (crash.cause !== undefined || !crash.wasReady) {
    return new ExtractionError('unavailable', 'No process could be started that reads documents. Try again.', {
      cause,
    });
  }
  if (crash.signal === 'SIGKILL' || crash.signal === 'SIGTERM' || crash.signal === 'SIGINT' || crash.code === 0) {
    return new ExtractionError('internal', `The sandbox was stopped while it read "${crash.filename}". Try again.`, {
      cause,
    });
  }
  const how = crash.signal ?? `exit code ${crash.code ?? 'unknown'}`;
  return new ExtractionError(
    'corrupt_file',
    `"${crash.filename}" makes its reader crash (${how}): it is damaged. Open and save it again, then upload the new file.`,
  );
}
