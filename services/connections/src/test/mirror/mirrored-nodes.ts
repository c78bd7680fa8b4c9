// Compares the nodes of a connection with its bucket.
import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import type { SyncsHarness } from '../syncs-harness.js';
import { foldersAbove, type MirroredBucket } from './mirrored-bucket.js';

interface Node {
  id: string;
  path: string;
  name: string;
  is_file: boolean;
  size_bytes: number | null;
  etag: string | null;
  /** The path of the parent. Null at the top level. */
  parent: string | null;
  is_top: boolean;
}

/** By path. */
export type Nodes = Map<string, Node>;

export async function readNodes({ sql }: Pick<SyncsHarness, 'sql'>, connectionId: string): Promise<Nodes> {
  const rows = await sql<Node>(
    `select n.id, n.path, n.name, n.is_file, n.size_bytes::int as size_bytes, n.etag, p.path as parent, n.parent_id = $1 as is_top
     from visible_nodes n left join visible_nodes p on p.tenant_id = n.tenant_id and p.id = n.parent_id
     where n.connection_id = $1 order by n.path`,
    [connectionId],
  );
  return new Map(rows.map((node) => [node.path, node]));
}

/**
 * A key that did not change during the sync has exactly its node. One that changed has the node of a version that it had meanwhile, or none
 * if it did not exist at some time. Each folder of a key that existed throughout is there, and no folder without a key.
 */
export function assertMirrors(nodes: Nodes, versions: ReturnType<MirroredBucket['versions']>, prefix: string): void {
  const keys = [...versions.keys()];
  const paths = [...nodes.keys()];
  const isFile = (path: string) => !path.endsWith('/');
  expect(paths.filter((path) => isFile(path) && !versions.has(path))).toStrictEqual([]);
  for (const [key, allowed] of versions) {
    if (!isFile(key)) continue;
    const node = nodes.get(key);
    const found = node && { sizeBytes: node.size_bytes, etag: node.etag };
    if (!allowed.some((version) => isDeepStrictEqual(version, found)))
      expect({ key, found }).toStrictEqual({ key, allowed });
  }
  const constant = keys.filter((key) => versions.get(key)?.every((version) => version !== undefined));
  const foldersOf = (some: string[]) => new Set(some.flatMap((key) => foldersAbove(key, prefix)));
  const folders = paths.filter((path) => !isFile(path));
  expect(folders).toStrictEqual(expect.arrayContaining([...foldersOf(constant)]));
  expect([...foldersOf(keys)]).toStrictEqual(expect.arrayContaining(folders));
  const root = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  for (const { path, name, parent, is_file, is_top } of nodes.values()) {
    expect([parent === null, `${parent ?? root}${name}${is_file ? '' : '/'}`]).toStrictEqual([is_top, path]);
  }
}
