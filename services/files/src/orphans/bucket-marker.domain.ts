// The object that names the installation of a bucket, and the time up to which that installation has searched the bucket for
// orphans. It reveals a second installation on the bucket, and a database that is older than the bucket.
import { z } from 'zod';

export const MARKER_KEY = 'kiln-installation.json';

export interface BucketMarker {
  installationId: string;
  /** Null before the first search has finished. */
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

/** Null for a text that is not a marker. */
export function parseMarker(text: string): BucketMarker | null {
  try {
    const marker = markerSchema.parse(JSON.parse(text));
    const searchedUntil = marker.searched_until === null ? null : new Date(marker.searched_until);
    return { installationId: marker.installation_id, searchedUntil };
  } catch {
    return null;
  }
}

/** `own` is the marker according to the database. It is never behind the bucket, since it is written first. */
export function obstacleIn(marker: BucketMarker | null, own: BucketMarker): BucketObstacle | null {
  if (marker?.installationId !== own.installationId) return 'foreign_bucket';
  const isOlder = (marker.searchedUntil?.getTime() ?? 0) > (own.searchedUntil?.getTime() ?? 0);
  return isOlder ? 'older_database' : null;
}
