// Converts responses of the SDK to the types of the port.
import type { _Object, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import { isUtf8 } from 'node:buffer';
import { ListingNotProvenError } from '../listing-not-proven.error.js';
import type { ObjectHead, ObjectPage } from '../object-store.port.js';

const ARCHIVES = new Set<string>(['GLACIER', 'DEEP_ARCHIVE']);
const CHARACTER_BYTES = [1, 2, 3, 4];
const LONE_SURROGATE = 0xdc00;

export interface HeadLike {
  ContentLength?: number | undefined;
  ETag?: string | undefined;
  ContentType?: string | undefined;
  LastModified?: Date | undefined;
}

export const headOf = (answer: HeadLike): ObjectHead => ({
  sizeBytes: answer.ContentLength ?? 0,
  etag: unquoted(answer.ETag),
  contentType: answer.ContentType ?? 'application/octet-stream',
  lastModified: answer.LastModified ?? new Date(0),
});

/** Throws ListingNotProvenError unless the response says whether it is the last page, and contains as many keys as it announces. */
export function pageOf(answer: ListObjectsV2CommandOutput): ObjectPage {
  assertCounted(answer);
  const decode = answer.EncodingType === 'url' ? decodeKey : (key: string): string => key;
  return {
    objects: (answer.Contents ?? []).map((object) => ({
      key: decode(object.Key ?? ''),
      sizeBytes: object.Size ?? 0,
      etag: unquoted(object.ETag),
      lastModified: object.LastModified ?? new Date(0),
      ...(object.StorageClass && { storageClass: object.StorageClass }),
      ...archivedIn(object),
    })),
    prefixes: (answer.CommonPrefixes ?? []).map(({ Prefix }) => decode(Prefix ?? '')),
    nextCursor: nextCursorOf(answer),
  };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/archived-objects.html. A restored object stays in its class. */
function archivedIn({ StorageClass, RestoreStatus }: _Object): { archivedIn?: string } {
  const isRestored = (RestoreStatus?.RestoreExpiryDate?.getTime() ?? 0) > Date.now();
  return StorageClass && ARCHIVES.has(StorageClass) && !isRestored ? { archivedIn: StorageClass } : {};
}

/** Older stores return no count, and some do not count prefixes. */
function assertCounted({ KeyCount, Contents = [], CommonPrefixes, Delimiter }: ListObjectsV2CommandOutput): void {
  const groups = CommonPrefixes !== undefined || Delimiter !== undefined;
  if (groups || KeyCount === undefined || KeyCount === Contents.length) return;
  throw new ListingNotProvenError(`KeyCount is ${KeyCount}, but the response contains ${Contents.length} keys`);
}

function nextCursorOf({ IsTruncated, NextContinuationToken = '' }: ListObjectsV2CommandOutput): string | null {
  if (IsTruncated === undefined) throw new ListingNotProvenError('IsTruncated is missing');
  if (IsTruncated !== (NextContinuationToken !== '')) {
    const has = IsTruncated ? 'no' : 'a';
    throw new ListingNotProvenError(`IsTruncated is ${IsTruncated}, but the response has ${has} NextContinuationToken`);
  }
  return IsTruncated ? NextContinuationToken : null;
}

export const unquoted = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '');

/**
 * Decodes a key of a listing with `encoding-type=url`, where `+` is a space. A byte that is not part of UTF-8 becomes a lone surrogate, so that
 * the key is not well-formed text. Throws ListingNotProvenError when the key is not encoded so.
 */
export function decodeKey(key: string): string {
  if (/%(?![0-9A-Fa-f]{2})/.test(key)) {
    throw new ListingNotProvenError('a key is not URL-encoded, as the response states');
  }
  const bytesOf = (run: string) => Buffer.from(run.replaceAll('%', ''), 'hex');
  return key.replaceAll('+', ' ').replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (run) => keyOfBytes(bytesOf(run)));
}

/** The key that has these bytes. A byte that is not part of UTF-8 becomes a lone surrogate. */
export function keyOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = CHARACTER_BYTES.find((count) => isUtf8(bytes.subarray(at, at + count)));
    text +=
      length === undefined
        ? String.fromCharCode(LONE_SURROGATE + (bytes[at] ?? 0))
        : bytes.toString('utf8', at, at + length);
    at += length ?? 1;
  }
  return text;
}
