// Where bytes lie in the object store. Keys lead with the tenant and never hold a caller's text, so no filename or space
// can reach into another's. Both arguments are uuids.

/** The bytes as uploaded. */
export const sourceKey = (tenantId: string, fileId: string) => `${tenantId}/${fileId}/source`;

/** Inverse of `sourceKey`; null for any other key. */
export function parseSourceKey(key: string): { tenantId: string; fileId: string } | null {
  const match = /^([0-9a-f-]{36})\/([0-9a-f-]{36})\/source$/.exec(key);
  return match?.[1] && match[2] ? { tenantId: match[1], fileId: match[2] } : null;
}

/**
 * What a run makes. Each run (job and fencing token) writes under its own prefix: a run that lost its lease can overwrite
 * nothing that a later one made.
 */
export const outputKey = (tenantId: string, fileId: string, jobId: string, fence: number, name: string) =>
  `${tenantId}/${fileId}/${jobId}/${fence}/${name}`;

/** The `storage_key` of the API: a stable name for people, not the physical key. */
export const storageKey = (space: string, fileId: string, filename: string) => `${space}/${fileId}/${filename}`;
