// One byte range of the Range header (RFC 9110, section 14).
import { S3Error } from '../s3-errors.js';

export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

/** The range within an object of `sizeBytes`. Undefined means the whole object, also for forms of the header that S3 ignores. */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    if (Number(last) === 0 || sizeBytes === 0) throw unsatisfiable(sizeBytes);
    return { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= sizeBytes) throw unsatisfiable(sizeBytes);
  return { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}

const unsatisfiable = (sizeBytes: number): S3Error =>
  new S3Error('InvalidRange', undefined, { 'Content-Range': `bytes */${sizeBytes}` });
