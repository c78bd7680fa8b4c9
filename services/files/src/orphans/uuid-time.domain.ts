// File ids are UUIDv7 (RFC 9562, section 5.7): their first 48 bits are the time they were made, in milliseconds. So the order of
// the text is the order of time, and a range of time is a range of keys.

const TIME_DIGITS = 12;
const DIGITS_BEFORE_HYPHEN = 8;
const BITS_PER_DIGIT = 4;

/** The smallest text that an id made at `time` or later can have. */
export function idsFrom(time: Date): string {
  return withHyphen(digitsOf(time));
}

/**
 * The prefixes of all ids made from `from` to `until`: one or two, in order. Ids of a range that is at most 16 times as long
 * share them. Not every provider lists from a key, but all list by prefix.
 */
export function idPrefixes(from: Date, until: Date): string[] {
  const milliseconds = Math.max(1, until.getTime() - from.getTime());
  const digits = Math.max(0, TIME_DIGITS - Math.ceil(Math.log2(milliseconds) / BITS_PER_DIGIT));
  const beginnings = [from, until].map((time) => withHyphen(digitsOf(time).slice(0, digits)));
  return [...new Set(beginnings)];
}

function digitsOf(time: Date): string {
  return Math.max(0, time.getTime()).toString(16).padStart(TIME_DIGITS, '0');
}

const withHyphen = (digits: string): string =>
  digits.length <= DIGITS_BEFORE_HYPHEN
    ? digits
    : `${digits.slice(0, DIGITS_BEFORE_HYPHEN)}-${digits.slice(DIGITS_BEFORE_HYPHEN)}`;

export const timeOf = (uuid: string): Date => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
