// The orders in which providers list keys, by their documentation.

/** Negative when `a` comes before `b`. */
export type KeyOrder = (a: string, b: string) => number;

/** UTF-16 has surrogates before the characters from U+E000 to U+FFFF, UTF-8 after them. */
const placeOf = (unit: number): number => (unit >= 0xd8_00 && unit < 0xe0_00 ? unit + 0x1_00_00 : unit);

export const utf8Order: KeyOrder = (a, b) => {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return placeOf(one) - placeOf(other);
  }
  return a.length - b.length;
};

export const utf16Order: KeyOrder = (a, b) => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** The contents of a directory follow it directly: a slash sorts before every other character. */
export const directoryOrder =
  (order: KeyOrder): KeyOrder =>
  (a, b) =>
    order(a.replaceAll('/', '\0'), b.replaceAll('/', '\0'));
