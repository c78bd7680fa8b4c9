import { messageOf } from '../errors.js';
import type { ExitStatus } from '../processes/child-process.js';

/** The line the console shows when a process ended by itself, with the end of its log when given. */
export function describeCrash(
  name: string,
  status: ExitStatus | Error,
  delayMilliseconds: number,
  logTail?: string,
): string {
  const how =
    status instanceof Error
      ? `could not be restarted (${messageOf(status)})`
      : `ended by itself (${status.signal ?? `exit code ${status.code}`})`;
  const tail = logTail ? `; its log ends with:\n${logTail.replaceAll(/^/gm, '    ')}` : '';
  return `${name} ${how}, next try in ${delayMilliseconds / 1000} s${tail}`;
}
