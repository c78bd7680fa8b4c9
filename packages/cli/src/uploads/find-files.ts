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
    const files = kind.isDirectory() ? filesIn(path, '', exclude) : [{ path, name: basename(path) }];
    for await (const file of files) if (!isExcluded(file.name, exclude)) found.set(resolve(file.path), file);
  }
  return [...found.values()];
}

async function* filesIn(folder: string, prefix: string, exclude: readonly string[]): AsyncGenerator<FoundFile> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = `${prefix}${entry.name}`;
    if (isExcluded(name, exclude)) continue;
    if (entry.isDirectory()) yield* filesIn(folder, `${name}/`, exclude);
    else if (entry.isFile()) yield { path: join(folder, name), name };
  }
}

/** A pattern without `/` fits the name of a file or folder at any depth. */
const isExcluded = (name: string, exclude: readonly string[]) =>
  exclude.some((pattern) => matchesGlob(pattern.includes('/') ? name : basename(name), pattern));
