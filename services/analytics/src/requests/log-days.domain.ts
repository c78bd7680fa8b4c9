// The days of the request log, and the ids that belong to a time. An id is a UUIDv7: it begins with its time in milliseconds
// (RFC 9562, section 5.7).
import { REQUEST_LOG_DAYS } from '@kiln/contracts';

const DAY_MS = 86_400_000;
/** Clocks of gateways may be ahead. */
const AHEAD_MS = DAY_MS;

/** The greatest possible id. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The lowest id of a time. */
export function firstIdOf(time: Date): string {
  const digits = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** Entries before this time are no longer shown. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - REQUEST_LOG_DAYS * DAY_MS);

/** Whether the log takes the entry. An older entry has expired. There may be no partition for an entry from the future. */
export function isInLog(id: string, now: Date): boolean {
  return id >= firstIdOf(keptSince(now)) && id < firstIdOf(new Date(now.getTime() + AHEAD_MS));
}
