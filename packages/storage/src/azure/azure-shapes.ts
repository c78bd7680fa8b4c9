// Converts responses of the SDK to the types of the port.
import type {
  ContainerListBlobFlatSegmentResponse,
  ContainerListBlobHierarchySegmentResponse,
} from '@azure/storage-blob';
import { ListingNotProvenError } from '../listing-not-proven.error.js';
import type { ObjectHead, ObjectPage } from '../object-store.port.js';
import { isXmlDocument } from '../xml-document.js';

/** https://learn.microsoft.com/azure/storage/blobs/archive-rehydrate-overview */
export const ARCHIVE_TIER = 'Archive';

export interface HeadLike {
  contentLength?: number;
  etag?: string;
  contentType?: string;
  lastModified?: Date;
}

export const headOf = (answer: HeadLike): ObjectHead => ({
  sizeBytes: answer.contentLength ?? 0,
  etag: unquoted(answer.etag),
  contentType: answer.contentType ?? 'application/octet-stream',
  lastModified: answer.lastModified ?? new Date(0),
});

/** Listings return the tag without quotes, other responses with quotes. */
export const unquoted = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '');

type ListAnswer = ContainerListBlobFlatSegmentResponse | ContainerListBlobHierarchySegmentResponse;

/** Throws ListingNotProvenError unless the response has a NextMarker. It is empty on the last page. The SDK does not check that it exists. */
export function pageOf(answer: ListAnswer): ObjectPage {
  assertWhole(answer._response.bodyAsText);
  const { segment, continuationToken } = answer;
  return {
    objects: segment.blobItems.map(({ name, properties, metadata }) => ({
      key: name,
      sizeBytes: properties.contentLength ?? 0,
      etag: unquoted(properties.etag),
      lastModified: properties.lastModified,
      ...(isDirectory(metadata) && { isDirectory: true }),
      ...(properties.accessTier && { storageClass: properties.accessTier }),
      ...(properties.accessTier === ARCHIVE_TIER && { archivedIn: ARCHIVE_TIER }),
    })),
    prefixes: 'blobPrefixes' in segment ? (segment.blobPrefixes ?? []).map(({ name }) => name) : [],
    nextCursor: continuationToken === undefined || continuationToken === '' ? null : continuationToken,
  };
}

/** Azure marks the directories of a hierarchical namespace so, and Hadoop's drivers mark their own in others. */
const isDirectory = (metadata: Record<string, string> = {}): boolean =>
  Object.entries(metadata).some(([name, value]) => name.toLowerCase() === 'hdi_isfolder' && value === 'true');

/** Throws ListingNotProvenError. */
export function assertWhole(text: string): void {
  if (!isXmlDocument(text, 'EnumerationResults')) {
    throw new ListingNotProvenError('the response is not a complete EnumerationResults document');
  }
  if (!/<NextMarker[\s/>]/.test(text)) throw new ListingNotProvenError('NextMarker is missing');
}
