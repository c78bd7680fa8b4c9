// Conditional requests (RFC 9110, section 13), for reading and for writing.
import type { ObjectDescription } from '../disk/object-file.js';
import type { S3Request } from '../request.js';
import { S3Error } from '../s3-errors.js';

/** Throws PreconditionFailed or NotModified when the object is not what the reader asked for. */
export function checkReadConditions(request: S3Request, object: ObjectDescription, prefix = ''): void {
  const ifMatch = request.header(`${prefix}if-match`);
  const ifNoneMatch = request.header(`${prefix}if-none-match`);
  const modifiedSince = timeOf(request.header(`${prefix}if-modified-since`));
  const unmodifiedSince = timeOf(request.header(`${prefix}if-unmodified-since`));
  const modified = wholeSeconds(object.lastModifiedMs);
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, object)) throw new S3Error('PreconditionFailed');
  } else if (unmodifiedSince !== undefined && modified > unmodifiedSince) {
    throw new S3Error('PreconditionFailed');
  }
  const unchanged =
    ifNoneMatch === undefined ? modifiedSince !== undefined && modified <= modifiedSince : matches(ifNoneMatch, object);
  if (!unchanged) return;
  // A copy is a write, which never returns 304.
  if (prefix !== '') throw new S3Error('PreconditionFailed');
  throw new S3Error('NotModified', undefined, { ETag: `"${object.etag}"`, 'Last-Modified': httpDate(object) });
}

/** For writes that must create (If-None-Match) or replace a known version (If-Match). */
export function writeCondition(request: S3Request): ((current: ObjectDescription | undefined) => void) | undefined {
  const ifMatch = request.header('if-match');
  const ifNoneMatch = request.header('if-none-match');
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return (current) => {
    if (ifMatch !== undefined && current === undefined) throw new S3Error('NoSuchKey');
    if (ifMatch !== undefined && current !== undefined && !matches(ifMatch, current))
      throw new S3Error('PreconditionFailed');
    if (ifNoneMatch !== undefined && current !== undefined && matches(ifNoneMatch, current)) {
      throw new S3Error('PreconditionFailed');
    }
  };
}

export const httpDate = ({ lastModifiedMs }: ObjectDescription): string => new Date(lastModifiedMs).toUTCString();

const wholeSeconds = (timeMs: number): number => Math.floor(timeMs / 1000) * 1000;

function timeOf(header: string | undefined): number | undefined {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? undefined : time;
}

const matches = (list: string, { etag }: ObjectDescription): boolean =>
  list
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''))
    .some((tag) => tag === '*' || tag === etag);
