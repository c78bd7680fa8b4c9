// Finds out which uploads of a group have arrived. It lists the common prefix of many, and looks for the object of one. A listing
// does not contain uploads that never arrive, so any number of them costs one request.
import { sourceKey } from '@kiln/contracts';
import { listPages, type ObjectStore } from '@kiln/storage';
import type { PendingUpload, UploadGroup } from './pending-upload.store.js';

export interface Arrivals {
  arrived: PendingUpload[];
  missing: PendingUpload[];
}

/** The uploads after these pages count neither as arrived nor as missing: a later check finds out. */
const PAGES_MAX = 8;

export async function findArrivals(
  objects: Pick<ObjectStore, 'head' | 'list'>,
  { tenantId, prefix, uploads }: UploadGroup,
): Promise<Arrivals> {
  const [first, second] = uploads;
  if (first === undefined) return { arrived: [], missing: [] };
  if (second === undefined) {
    const isThere = (await objects.head(sourceKey(tenantId, first.fileId))) !== null;
    return isThere ? { arrived: uploads, missing: [] } : { arrived: [], missing: uploads };
  }
  const found = new Set<string>();
  let isCovered = (_fileId: string) => true;
  let pages = 0;
  const from = { delimiter: '/', startAfter: `${tenantId}/${first.fileId}` };
  for await (const { prefixes, nextCursor } of listPages(objects, `${tenantId}/${prefix}`, from)) {
    const ids = prefixes.map((name) => name.slice(tenantId.length + 1, -1));
    for (const id of ids) found.add(id);
    const last = ids.at(-1) ?? '';
    if (last >= (uploads.at(-1)?.fileId ?? '')) break;
    if (nextCursor === null || ++pages < PAGES_MAX) continue;
    isCovered = (fileId) => fileId <= last;
    break;
  }
  return {
    arrived: uploads.filter(({ fileId }) => found.has(fileId)),
    missing: uploads.filter(({ fileId }) => !found.has(fileId) && isCovered(fileId)),
  };
}
