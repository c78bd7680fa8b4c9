// Orders in which providers document that they list keys.

/** Negative when `a` comes before `b`. */
export type KeyOrder = (a: string, b: string) => number;

export const utf8Order: KeyOrder = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

export const utf16Order: KeyOrder = (a, b) => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** What lies in a directory follows it directly: a slash comes before every other character. */
export const directoryOrder =
  (order: KeyOrder): KeyOrder =>
  (a, b) =>
    order(a.replaceAll('/', '\0'), b.replaceAll('/', '\0'));
