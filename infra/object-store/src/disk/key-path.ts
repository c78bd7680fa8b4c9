// Converts keys to file paths and back. A key is split into "entries". Each is one name in one folder:
//   `segment/`           a folder  `<encoded>.d`
//   80 bytes without `/` a folder  `<encoded>.c`   (segments may be longer than a file name can be)
//   the rest             a file    `<encoded>.o`   (possibly empty: a key may end in `/`)
// The suffixes keep a key apart from keys below it; the encoding is plain lower-case ASCII, so names that differ in case
// or in Unicode normal form stay apart on every file system, and `..` is never a name. Sorting a folder's entries by
// their bytes and walking depth first yields the keys in byte order, since no entry is a prefix of another folder's.
import { join } from 'node:path';
import type { ByteString } from '../byte-string.js';

/** Encoded at three characters per byte plus suffix this stays below the 255 that file systems allow. */
export const CHUNK_BYTES = 80;

/** One name in a folder. Its kind follows from its bytes, see entryKind. */
export type Entry = ByteString;

export function entryKind(entry: Entry): 'folder' | 'object' {
  return entry.endsWith('/') || entry.length === CHUNK_BYTES ? 'folder' : 'object';
}

/** The folder entries that lead to a key, and the object entry at their end. */
export function splitKey(key: ByteString): { folders: Entry[]; leaf: Entry } {
  const folders: Entry[] = [];
  let rest = key;
  for (let entry = firstFolder(rest); entry !== undefined; entry = firstFolder(rest)) {
    folders.push(entry);
    rest = rest.slice(entry.length);
  }
  return { folders, leaf: rest };
}

/** The first entry of the path to a key. */
export const firstEntry = (key: ByteString): Entry => firstFolder(key) ?? key;

function firstFolder(key: ByteString): Entry | undefined {
  const slash = key.indexOf('/');
  if (slash >= 0 && slash < CHUNK_BYTES) return key.slice(0, slash + 1);
  return key.length >= CHUNK_BYTES ? key.slice(0, CHUNK_BYTES) : undefined;
}

export function fileNameOf(entry: Entry): string {
  if (entry.endsWith('/')) return `${encode(entry.slice(0, -1))}.d`;
  return `${encode(entry)}${entry.length === CHUNK_BYTES ? '.c' : '.o'}`;
}

/** The entry of a filename. Undefined for names that this store did not create. */
export function entryOf(fileName: string): Entry | undefined {
  const match = /^((?:[a-z0-9_.-]|%[0-9a-f]{2})*)\.([doc])$/.exec(fileName);
  if (match === null) return undefined;
  const bytes = (match[1] ?? '').replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const entry = match[2] === 'd' ? `${bytes}/` : bytes;
  return fileNameOf(entry) === fileName ? entry : undefined;
}

export const folderPath = (root: string, folders: readonly Entry[]): string => join(root, ...folders.map(fileNameOf));

const encode = (bytes: ByteString): string =>
  bytes.replace(/[^a-z0-9_.-]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
