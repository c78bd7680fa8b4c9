// A range of an object as HTTP writes it (RFC 9110, 14.1.2).
import { StorageError } from './storage.errors.js';

/** Byte offsets, both inclusive; no `end` reaches to the last byte. */
export interface ByteRange {
  start: number;
  end?: number;
}

export function checkedRange(range: ByteRange): ByteRange {
  const { start, end } = range;
  const valid =
    Number.isSafeInteger(start) && start >= 0 && (end === undefined || (Number.isSafeInteger(end) && end >= start));
  if (!valid) throw new StorageError('invalid', `a range needs 0 <= start <= end, not ${start}-${end ?? ''}`);
  return range;
}

export function rangeHeader(range: ByteRange): string {
  const { start, end } = checkedRange(range);
  return `bytes=${start}-${end ?? ''}`;
}
