// File ids are UUIDv7 (RFC 9562, section 5.7): their first 48 bits are the milliseconds of their making, so text order is time
// order, and a stretch of time is a stretch of keys.

const TIME_DIGITS = 12;

/** What every id made at `time` or later comes after, or begins with. */
export function idsFrom(time: Date): string {
  const digits = Math.max(0, time.getTime()).toString(16).padStart(TIME_DIGITS, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

export const timeOf = (uuid: string): Date => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
