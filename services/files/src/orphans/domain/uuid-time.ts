// File ids are UUIDv7 (RFC 9562, section 5.7): their first 48 bits are the time they were made, in milliseconds. So the order of
// the text is the order of time, and a range of time is a range of keys.

const TIME_DIGITS = 12;

/** The smallest text of an id made at `time` or later. */
export function idsFrom(time: Date): string {
  const digits = Math.max(0, time.getTime()).toString(16).padStart(TIME_DIGITS, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

export const timeOf = (uuid: string): Date => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
