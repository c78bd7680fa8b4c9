// oxlint-disable-next-line no-control-regex -- removing them is the point
const controls = /[\u0000-\u0008\u000B\u000E-\u001F\u007F\uFFFE\uFFFF]/g;

/** Normalizes line ends, removes control characters, and replaces lone surrogates. */
export function cleanText(text: string): string {
  const unified = text
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n')
    .replace(/\f/g, '\n')
    .replace(controls, '');
  return unified.isWellFormed() ? unified : unified.toWellFormed();
}
