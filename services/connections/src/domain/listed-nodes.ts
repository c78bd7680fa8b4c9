// From a page of a bucket's listing to nodes: files under the folders that their keys name.
import { ETAG_LENGTH_MAX } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { typeOfName } from './type-of-name.js';

export interface ListedObject {
  key: string;
  sizeBytes: number;
  etag: string;
  lastModified: Date;
}

export interface ListedNode {
  path: string;
  name: string;
  /** Path of the folder; null at the top. */
  parent: string | null;
  file: { sizeBytes: number; etag: string; contentType: string | null; lastModified: Date } | null;
}

/** An index entry has to hold a path. S3 and Google end at 1,024 bytes, Azure at 1,024 characters. */
export const PATH_BYTES_MAX = 2_000;

/** Where the tree begins: `docs/` for the prefixes `docs/` and `docs/re`. */
export const rootOf = (prefix: string): string => prefix.slice(0, prefix.lastIndexOf('/') + 1);

/** A page of the longest keys would otherwise name a million folders. */
export const FOLDERS_DEEP_MAX = 100;
/** Years that every calendar and database knows. */
const TIME_MIN = Date.parse('0001-01-01T00:00:00Z');
const TIME_MAX = Date.parse('9999-12-31T23:59:59Z');

/** A key that can be kept as a path. */
export const isStorableKey = (key: string): boolean =>
  !key.includes('\0') &&
  key.isWellFormed() &&
  Buffer.byteLength(key) <= PATH_BYTES_MAX &&
  key.split('/', FOLDERS_DEEP_MAX + 2).length <= FOLDERS_DEEP_MAX + 1;

/** A store may say anything of an object; not everything can be stored or shown. */
export const hasStorableProperties = ({ sizeBytes, etag, lastModified }: Omit<ListedObject, 'key'>): boolean =>
  Number.isSafeInteger(sizeBytes) &&
  sizeBytes >= 0 &&
  etag.length <= ETAG_LENGTH_MAX &&
  !etag.includes('\0') &&
  lastModified.getTime() >= TIME_MIN &&
  lastModified.getTime() <= TIME_MAX;

const marksFolder = ({ key }: ListedObject): boolean => key.endsWith('/');

/** A key that ends in a slash is the mark that consoles leave for a folder, and no file. */
export const isStorableFile = (object: ListedObject): boolean =>
  isStorableKey(object.key) && object.key !== '' && !marksFolder(object) && hasStorableProperties(object);

/** Folders of a path, outermost first; a path that ends in a slash is the last of them. */
export function foldersOf(path: string, root: string): string[] {
  const folders: string[] = [];
  for (let slash = path.indexOf('/', root.length); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    folders.push(path.slice(0, slash + 1));
  }
  return folders;
}

/** The folder that a path lies in; null at the top. */
export const parentOf = (path: string, root: string): string | null =>
  foldersOf(path.endsWith('/') ? path.slice(0, -1) : path, root).at(-1) ?? null;

export function folderNode(path: string, root: string): ListedNode {
  const parent = parentOf(path, root);
  return { path, name: path.slice((parent ?? root).length, -1), parent, file: null };
}

export function fileNode({ key, sizeBytes, etag, lastModified }: ListedObject, root: string): ListedNode {
  const parent = parentOf(key, root);
  const name = key.slice((parent ?? root).length);
  return { path: key, name, parent, file: { sizeBytes, etag, contentType: typeOfName(name), lastModified } };
}

export interface NodesOfPage {
  nodes: ListedNode[];
  /** All that the keys of the page name, made or met. */
  folders: ReadonlySet<string>;
  /** Paths of objects that are there, and can't be kept as they are. */
  kept: readonly string[];
  /** Objects that can't be kept. */
  skipped: number;
}

/** The nodes of a page. Folders in `known` were made by an earlier page. */
export function nodesOfPage(objects: readonly ListedObject[], root: string, known: ReadonlySet<string>): NodesOfPage {
  const keyed = objects.filter(({ key }) => isStorableKey(key) && key !== root);
  const folders = new Set(keyed.flatMap(({ key }) => foldersOf(key, root)));
  const nodes = [
    ...[...folders].filter((path) => !known.has(path)).map((path) => folderNode(path, root)),
    ...keyed.filter(isStorableFile).map((object) => fileNode(object, root)),
  ];
  const kept = keyed.filter((object) => !marksFolder(object) && !isStorableFile(object)).map(({ key }) => key);
  const skipped = kept.length + objects.filter(({ key }) => !isStorableKey(key)).length;
  return { nodes, folders, kept, skipped };
}

/**
 * The id of a folder follows from its path, so that whoever meets it first makes the same, and nobody has to look it up. In the form
 * of a UUIDv7: the time of the connection, and 74 bits of a digest.
 */
export function folderId(connectionId: string, path: string): string {
  const digest = createHash('sha256').update(connectionId).update(path).digest();
  const bytes = Buffer.concat([
    Buffer.from(connectionId.replaceAll('-', '').slice(0, 12), 'hex'),
    digest.subarray(0, 10),
  ]);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
