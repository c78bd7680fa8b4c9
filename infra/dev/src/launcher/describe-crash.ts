import { messageOf } from '../errors.js';
import type { ExitStatus } from '../processes/child-process.js';

/** The console line for a process that exited unexpectedly, with the end of its log if given. */
export function describeCrash(
  name: string,
  status: ExitStatus | Error,
  delayMilliseconds: number,
  logTail?: string,
): string {
  const how =
    status instanceof Error
      ? `could not be restarted (${messageOf(status)})`
      : `exited unexpectedly (${status.signal ?? `exit code ${status.code}`})`;
  const tail = logTail ? `; its log ends with:\n${logTail.replaceAll(/^/gm, '    ')}` : '';
  return `${name} ${how}, retrying in ${delayMilliseconds / 1000} s${tail}`;
}
