// The version of an object whose store has no ETags: the time of its last change, as the header Last-Modified has it.
import type { StorageProviderId } from '@kiln/contracts';

export const versionByTime = (lastModified: Date): string => lastModified.toUTCString();

/** The response header that has the version of an object: the generation at Google, the ETag at others. */
export function versionHeaderOf(provider: StorageProviderId, object: { etag: string; lastModified: Date }): string {
  if (provider === 'gcs') return 'x-goog-generation';
  return object.etag === versionByTime(object.lastModified) ? 'last-modified' : 'etag';
}
