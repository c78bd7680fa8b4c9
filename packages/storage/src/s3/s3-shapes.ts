// From the SDK's answers to the port's shapes.
import type { ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import type { ObjectHead, ObjectPage } from '../object-store.port.js';

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

export function pageOf(answer: ListObjectsV2CommandOutput): ObjectPage {
  const decode = answer.EncodingType === 'url' ? decodeKey : (key: string): string => key;
  return {
    objects: (answer.Contents ?? []).map((object) => ({
      key: decode(object.Key ?? ''),
      sizeBytes: object.Size ?? 0,
      etag: unquoted(object.ETag),
      lastModified: object.LastModified ?? new Date(0),
    })),
    prefixes: (answer.CommonPrefixes ?? []).map(({ Prefix }) => decode(Prefix ?? '')),
    nextCursor: answer.IsTruncated ? (answer.NextContinuationToken ?? null) : null,
  };
}

export const unquoted = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '');

/** `encoding-type=url` writes a space as `+`. */
export const decodeKey = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));
