// The files that a command line names: files, and all files in folders.
import { readdir, stat } from 'node:fs/promises';
import { basename, join, matchesGlob, resolve } from 'node:path';
import { usageError } from '../exit-codes.js';

export interface FoundFile {
  /** To read it. */
  path: string;
  /** With `/`, from the folder that was named, or the name of a file that was named. It becomes the metadata `path`. */
  name: string;
}

/** In a fixed order, each file once. Throws a usage error for a path that does not exist. Symbolic links in folders are not followed. */
export async function findFiles(paths: readonly string[], exclude: readonly string[]): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const path of paths) {
    const kind = await stat(path).catch(() => null);
    if (!kind) throw usageError(`There is no file or folder ${path}`);
    const files = kind.isDirectory() ? await filesIn(path, '', exclude) : [{ path, name: basename(path) }];
    for (const file of files) if (!isExcluded(file.name, exclude)) found.set(resolve(file.path), file);
  }
  return [...found.values()];
}

async function filesIn(folder: string, prefix: string, exclude: readonly string[]): Promise<FoundFile[]> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true });
  const files: FoundFile[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = `${prefix}${entry.name}`;
    if (isExcluded(name, exclude)) continue;
    if (entry.isDirectory()) files.push(...(await filesIn(folder, `${name}/`, exclude)));
    else if (entry.isFile()) files.push({ path: join(folder, name), name });
  }
  return files;
}

/** A pattern without `/` fits the name of a file or folder at any depth. */
const isExcluded = (name: string, exclude: readonly string[]) =>
  exclude.some((pattern) => matchesGlob(pattern.includes('/') ? name : basename(name), pattern));
