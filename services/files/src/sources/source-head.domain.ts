// The storage's description of the bytes of a file, and whether they have changed since they arrived.
import type { FileRow } from '../files/file.rows.js';

export interface SourceHead {
  sizeBytes: number;
  etag: string;
  /** In Kiln's own storage, the bytes of a file are the ones that arrived. In an external bucket, its owner may replace them. */
  isReplaceable: boolean;
}

export const REPLACED_BYTES =
  'The bytes were replaced after they had arrived, by a second PUT to the signed URL. Upload them as a new file.';

/**
 * Whether storage holds bytes that differ from the ones that arrived. Bytes without an ETag came through the gateway and cannot
 * change.
 */
export const areReplaced = (
  { source_etag }: Pick<FileRow, 'source_etag'>,
  head: Omit<SourceHead, 'sizeBytes'>,
): boolean => source_etag !== null && !head.isReplaceable && head.etag !== source_etag;
