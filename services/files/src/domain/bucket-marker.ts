// The object that says which installation a bucket belongs to, and how far that has searched it for orphans. A second
// installation on the bucket, and a database that is older than the bucket, are known by it.
import { z } from 'zod';

export const MARKER_KEY = 'kiln-installation.json';

export interface BucketMarker {
  installationId: string;
  /** Null before the first search has ended. */
  searchedUntil: Date | null;
}

/** Why nothing may be removed from the bucket. */
export type BucketObstacle = 'foreign_bucket' | 'unmarked_bucket' | 'older_database';

const markerSchema = z.object({
  installation_id: z.string(),
  searched_until: z.iso.datetime().nullable(),
});

export const formatMarker = ({ installationId, searchedUntil }: BucketMarker): string =>
  JSON.stringify({ installation_id: installationId, searched_until: searchedUntil?.toISOString() ?? null });

/** Null for a text that is no marker. */
export function parseMarker(text: string): BucketMarker | null {
  try {
    const marker = markerSchema.parse(JSON.parse(text));
    const searchedUntil = marker.searched_until === null ? null : new Date(marker.searched_until);
    return { installationId: marker.installation_id, searchedUntil };
  } catch {
    return null;
  }
}

/** `own`: what the database says. It is at least as far as the bucket, since it is written first. */
export function obstacleIn(marker: BucketMarker | null, own: BucketMarker): BucketObstacle | null {
  if (marker?.installationId !== own.installationId) return 'foreign_bucket';
  const isOlder = (marker.searchedUntil?.getTime() ?? 0) > (own.searchedUntil?.getTime() ?? 0);
  return isOlder ? 'older_database' : null;
}
