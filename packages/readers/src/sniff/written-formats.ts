/**
 * Formats that are themselves written as text, of those that magic bytes tell. Only these are worth looking for in a text: looking
 * for all 175 makes a fifth of the garbage of a small upload.
 */

/** Not text to read, but no binary either. */
export const writtenAsText: ReadonlySet<string> = new Set([
  'application/eps',
  'application/pgp-encrypted',
  'application/postscript',
  'application/rtf',
]);

/** Of PDF, too, which text may precede; `ID3` is a tag that may precede anything; the last is EPS with a preview. */
const beginnings = [
  '%!',
  '%PDF',
  '-----BEGIN PGP',
  '<?xml ',
  'BEGIN:',
  'ID3',
  'WEBVTT',
  '{\\rtf',
  '\xc5\xd0\xd3\xc6',
].map((text) => Buffer.from(text, 'latin1'));
const byteOrderMark = Buffer.from('\ufeff');

/** Whether a text may be more than text, by its beginning. */
export function mayBeWrittenFormat(head: Buffer): boolean {
  const text = startsWith(head, byteOrderMark) ? head.subarray(byteOrderMark.length) : head;
  return beginnings.some((beginning) => startsWith(text, beginning));
}

const startsWith = (bytes: Buffer, beginning: Buffer): boolean => bytes.subarray(0, beginning.length).equals(beginning);
