// The orders in which providers list keys, by their documentation.

/** Negative when `a` comes before `b`. */
export type KeyOrder = (a: string, b: string) => number;

export const utf8Order: KeyOrder = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

export const utf16Order: KeyOrder = (a, b) => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** The contents of a directory follow it directly: a slash sorts before every other character. */
export const directoryOrder =
  (order: KeyOrder): KeyOrder =>
  (a, b) =>
    order(a.replaceAll('/', '\0'), b.replaceAll('/', '\0'));
