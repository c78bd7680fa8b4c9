// Decides whether a file was made of the current bytes of its node.
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

/** True when the file is completed or processing with these bytes. Failed and cancelled jobs leave no result. */
export function isUpToDate(file: FileVersion, node: NodeVersion): boolean {
  if (file.status !== 'completed' && file.status !== 'processing') return false;
  return file.source_etag === node.etag && file.size_bytes === node.size_bytes;
}
