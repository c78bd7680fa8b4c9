/**
 * Formats that have magic bytes and are themselves text. A text is only compared with these: comparing all 175 makes a
 * fifth of the garbage of a small upload.
 */

/** These formats are not text for readers, and not binary either. */
export const writtenAsText: ReadonlySet<string> = new Set([
  'application/eps',
  'application/pgp-encrypted',
  'application/postscript',
  'application/rtf',
]);

/** Includes `%PDF`, because text may precede a PDF, and `ID3`, a tag that may precede anything. The last one is EPS with a preview. */
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

/** Whether the beginning of a text may be that of such a format. */
export function mayBeWrittenFormat(head: Buffer): boolean {
  const text = startsWith(head, byteOrderMark) ? head.subarray(byteOrderMark.length) : head;
  return beginnings.some((beginning) => startsWith(text, beginning));
}

const startsWith = (bytes: Buffer, beginning: Buffer): boolean => bytes.subarray(0, beginning.length).equals(beginning);
