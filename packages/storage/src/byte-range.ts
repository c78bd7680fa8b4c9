// A byte range of an object, as in HTTP (RFC 9110, 14.1.2).
import { StorageError } from './storage.errors.js';

/** Byte offsets, both inclusive. Without `end`, the range extends to the last byte. */
export interface ByteRange {
  start: number;
  end?: number;
}

export function checkedRange(range: ByteRange): ByteRange {
  const { start, end } = range;
  const valid =
    Number.isSafeInteger(start) && start >= 0 && (end === undefined || (Number.isSafeInteger(end) && end >= start));
  if (!valid)
    throw new StorageError('invalid', `a byte range must satisfy 0 <= start <= end, but is ${start}-${end ?? ''}`);
  return range;
}

export function rangeHeader(range: ByteRange): string {
  const { start, end } = checkedRange(range);
  return `bytes=${start}-${end ?? ''}`;
}
