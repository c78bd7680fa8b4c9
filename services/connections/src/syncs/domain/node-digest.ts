// A digest of nodes as a listing shows them. The statement of NodeDigestStore makes the same of the stored nodes.
import type { RuleName } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { utf8Order } from '@kiln/storage';
import type { ListedNode } from '../../nodes/listed-nodes.domain.js';

/** With its length, so that no two nodes have one text. */
const lengthAnd = (text: string): string => `${Buffer.byteLength(text)}:${text}`;

/** Of a folder: its path alone. */
function textOf({ path, file }: ListedNode, excludedBy: RuleName | undefined): string {
  if (file === null) return `${lengthAnd(path)}||\n`;
  const { sizeBytes, etag, lastModified, archivedIn } = file;
  const archived = archivedIn === null ? '' : lengthAnd(archivedIn);
  return `${lengthAnd(path)}${sizeBytes}|${lengthAnd(etag)}${lastModified.getTime()}|${archived}${excludedBy ?? ''}\n`;
}

export function digestOf(nodes: readonly ListedNode[], excluded: ReadonlyMap<string, RuleName>): string {
  const sorted = nodes.toSorted((a, b) => utf8Order(a.path, b.path));
  const hash = createHash('md5');
  hash.update(sorted.map((node) => textOf(node, node.file ? excluded.get(node.path) : undefined)).join(''));
  return hash.digest('hex');
}
