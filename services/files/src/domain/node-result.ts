// Whether a file says what its node holds now.
import type { fileStatuses } from '@kiln/contracts';

export interface FileVersion {
  status: (typeof fileStatuses)[number];
  source_etag: string | null;
  size_bytes: number | null;
}

export interface NodeVersion {
  etag: string;
  size_bytes: number;
}

/** Completed with these very bytes, or at work on them. Failed and cancelled jobs leave no result. */
export function isUpToDate(file: FileVersion, node: NodeVersion): boolean {
  if (file.status !== 'completed' && file.status !== 'processing') return false;
  return file.source_etag === node.etag && file.size_bytes === node.size_bytes;
}
