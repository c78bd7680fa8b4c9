// Keys in the object store. A key begins with the tenant and never contains a caller's text, so no filename or space
// can reach another tenant's objects. Both arguments are uuids.

/** The bytes as uploaded. */
export const sourceKey = (tenantId: string, fileId: string) => `${tenantId}/${fileId}/source`;

/** Inverse of `sourceKey`; null for any other key. */
export function parseSourceKey(key: string): { tenantId: string; fileId: string } | null {
  const match = /^([0-9a-f-]{36})\/([0-9a-f-]{36})\/source$/.exec(key);
  return match?.[1] && match[2] ? { tenantId: match[1], fileId: match[2] } : null;
}

/**
 * The outputs of a run. Each run (job and fencing token) has its own prefix: a run that lost its lease cannot overwrite
 * the outputs of a later one.
 */
export const outputKey = (tenantId: string, fileId: string, jobId: string, fence: number, name: string) =>
  `${tenantId}/${fileId}/${jobId}/${fence}/${name}`;

/** The image of a page. `version` names the bytes of the file, which can change in an external bucket. */
export const pageImageKey = (
  tenantId: string,
  fileId: string,
  { version, width, page }: { version: string; width: number; page: number },
) => `${tenantId}/${fileId}/pages/${version}/${width}/${page}.png`;

/** The `storage_key` of the API: a stable name, not the physical key. */
export const storageKey = (space: string, fileId: string, filename: string) => `${space}/${fileId}/${filename}`;
