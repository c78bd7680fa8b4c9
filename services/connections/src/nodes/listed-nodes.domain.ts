// Converts a page of a listing to nodes: files, and the folders that their keys contain.
import { ETAG_LENGTH_MAX } from '@kiln/contracts';
import { typeOfExtension } from '@kiln/file-types/file-extensions';
import { createHash } from 'node:crypto';

export interface ListedObject {
  key: string;
  sizeBytes: number;
  etag: string;
  lastModified: Date;
  isDirectory?: boolean;
  archivedIn?: string;
  /** Absent if the store reports none. */
  storageClass?: string;
}

export interface ListedFile {
  sizeBytes: number;
  etag: string;
  contentType: string | null;
  lastModified: Date;
  archivedIn: string | null;
}

export interface ListedNode {
  path: string;
  name: string;
  /** The path of the folder. Null at the top level. */
  parent: string | null;
  /** The content type is that of the name: listings do not contain it, and reading every object would cost too much. */
  file: ListedFile | null;
}

/** A path must fit into an index entry. S3 and Google allow 1,024 bytes, Azure 1,024 characters. */
export const PATH_BYTES_MAX = 2_000;

/** The folder at which the tree begins: `docs/` for the prefixes `docs/` and `docs/re`. */
export const rootOf = (prefix: string): string => prefix.slice(0, prefix.lastIndexOf('/') + 1);

/** Without a limit, a page of the longest keys could contain a million folders. */
export const FOLDERS_DEEP_MAX = 100;
/** The range of years that both Postgres and JavaScript support. */
const TIME_MIN = Date.parse('0001-01-01T00:00:00Z');
const TIME_MAX = Date.parse('9999-12-31T23:59:59Z');

/**
 * URL parsers resolve these segments: a request for `a/../b` would read `b`, or leave the bucket. https://url.spec.whatwg.org/#path-state
 */
const hasDotSegment = (key: string): boolean => /(?:^|\/)\.{1,2}(?:\/|$)/.test(key);

/** Whether the key can be stored as a path. */
export const isStorableKey = (key: string): boolean =>
  !key.includes('\0') &&
  key.isWellFormed() &&
  !hasDotSegment(key) &&
  Buffer.byteLength(key) <= PATH_BYTES_MAX &&
  key.split('/', FOLDERS_DEEP_MAX + 2).length <= FOLDERS_DEEP_MAX + 1;

/** Whether the properties can be stored and shown. An external store may answer anything. */
export const hasStorableProperties = ({ sizeBytes, etag, lastModified }: Omit<ListedObject, 'key'>): boolean =>
  Number.isSafeInteger(sizeBytes) &&
  sizeBytes >= 0 &&
  etag.length <= ETAG_LENGTH_MAX &&
  !etag.includes('\0') &&
  lastModified.getTime() >= TIME_MIN &&
  lastModified.getTime() <= TIME_MAX;

/** A key that ends in a slash is a folder marker, as consoles create them, not a file. */
const marksFolder = ({ key, isDirectory }: ListedObject): boolean => isDirectory === true || key.endsWith('/');

/** A folder marker with bytes. Its node is a folder, so its bytes cannot be read. */
const hidesBytes = ({ key, sizeBytes }: ListedObject): boolean => key.endsWith('/') && sizeBytes > 0;

const folderPathOf = ({ key, isDirectory }: ListedObject): string => (isDirectory ? `${key}/` : key);

export const isStorableFile = (object: ListedObject): boolean =>
  isStorableKey(object.key) && object.key !== '' && !marksFolder(object) && hasStorableProperties(object);

/** The folders of a path, outermost first. A path that ends in a slash is itself the last. */
export function foldersOf(path: string, root: string): string[] {
  const folders: string[] = [];
  for (let slash = path.indexOf('/', root.length); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    folders.push(path.slice(0, slash + 1));
  }
  return folders;
}

/** The folder of a path. Null at the top level. */
export function parentOf(path: string, root: string): string | null {
  const inner = path.endsWith('/') ? path.slice(0, -1) : path;
  const slash = inner.lastIndexOf('/');
  return slash < root.length ? null : path.slice(0, slash + 1);
}

export function folderNode(path: string, root: string): ListedNode {
  const parent = parentOf(path, root);
  return { path, name: path.slice((parent ?? root).length, -1), parent, file: null };
}

export function fileNode(object: ListedObject, root: string): ListedNode {
  const { key, sizeBytes, etag, lastModified, archivedIn = null } = object;
  const parent = parentOf(key, root);
  const name = key.slice((parent ?? root).length);
  const contentType = typeOfExtension(name);
  return { path: key, name, parent, file: { sizeBytes, etag, contentType, lastModified, archivedIn } };
}

export interface NodesOfPage {
  nodes: ListedNode[];
  /** Paths of objects whose properties cannot be stored. */
  unstorable: readonly string[];
  /** How many objects cannot be stored, or are archived. */
  skipped: number;
}

/** The nodes of a page, with all folders in its keys: a caller may have deleted one that an earlier page contained. */
export function nodesOfPage(objects: readonly ListedObject[], root: string): NodesOfPage {
  const folders = new Set<string>();
  const files: ListedNode[] = [];
  const unstorable: string[] = [];
  let skipped = 0;
  for (const object of objects) {
    const { key } = object;
    const isStored = isStorableKey(key);
    if (!isStored || hidesBytes(object)) skipped += 1;
    if (!isStored || key === root) continue;
    addFolders(folders, folderPathOf(object), root);
    if (marksFolder(object)) continue;
    if (key === '' || !hasStorableProperties(object)) unstorable.push(key);
    else files.push(fileNode(object, root));
  }
  const archived = files.filter(({ file }) => file?.archivedIn != null);
  return {
    nodes: [...[...folders].map((path) => folderNode(path, root)), ...files],
    unstorable,
    skipped: skipped + unstorable.length + archived.length,
  };
}

/** Objects of one folder follow each other, so its folders are mostly known. */
function addFolders(folders: Set<string>, path: string, root: string): void {
  const innermost = path.slice(0, path.lastIndexOf('/') + 1);
  if (innermost.length <= root.length || folders.has(innermost)) return;
  for (const folder of foldersOf(path, root)) folders.add(folder);
}

/**
 * The id of a folder is derived from connection and path, so that it is known without a query. It has the form of a UUIDv7: the
 * time of the connection's id, and 74 bits of a digest.
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
