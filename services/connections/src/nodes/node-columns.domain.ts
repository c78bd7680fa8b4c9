// Nodes as columns, which one statement inserts.
import type { RuleName } from '@kiln/contracts';
import { utf8Order } from '@kiln/storage';
import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { folderId, type ListedNode } from './listed-nodes.domain.js';

export interface NodeColumns {
  count: number;
  /** Id, parent, whether it is a file, name, path, size, ETag, type, and time. */
  stored: readonly (readonly unknown[])[];
  archivedIn: readonly (string | null)[];
  excludedBy: readonly (RuleName | null)[];
}

/** In the order of paths, so that statements that lock several rows do not wait for each other. */
export function columnsOf(
  connectionId: string,
  nodes: readonly ListedNode[],
  excluded: ReadonlyMap<string, RuleName>,
): NodeColumns {
  const sorted = nodes.toSorted((a, b) => utf8Order(a.path, b.path));
  const folderIds = new Map<string, string>();
  const idOf = (path: string | null): string => {
    if (path === null) return connectionId;
    let id = folderIds.get(path);
    if (id === undefined) folderIds.set(path, (id = folderId(connectionId, path)));
    return id;
  };
  const fileIds = newIds(sorted.length);
  return {
    count: sorted.length,
    stored: [
      sorted.map(({ path, file }, at) => (file ? fileIds[at] : idOf(path))),
      sorted.map(({ parent }) => idOf(parent)),
      sorted.map(({ file }) => file !== null),
      sorted.map(({ name }) => name),
      sorted.map(({ path }) => path),
      sorted.map(({ file }) => file?.sizeBytes ?? null),
      sorted.map(({ file }) => file?.etag ?? null),
      sorted.map(({ file }) => file?.contentType ?? null),
      sorted.map(({ file }) => file?.lastModified ?? null),
    ],
    archivedIn: sorted.map(({ file }) => file?.archivedIn ?? null),
    excludedBy: sorted.map(({ path, file }) => (file ? (excluded.get(path) ?? null) : null)),
  };
}

const ID_BYTES = 16;

/** UUIDs of version 7 in ascending order. Random bytes for all of them at once take an eighth of the time. */
export function newIds(count: number): string[] {
  const random = randomFillSync(new Uint8Array((count + 1) * ID_BYTES));
  const msecs = Date.now();
  // Half of the numbers, so that the others remain to count.
  const first = new DataView(random.buffer).getUint32(count * ID_BYTES) >>> 1;
  return Array.from({ length: count }, (_, at) =>
    uuidv7({ random: random.subarray(at * ID_BYTES, (at + 1) * ID_BYTES), msecs, seq: first + at }),
  );
}
