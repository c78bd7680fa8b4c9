// Uploads the files of a folder and of the folders in it, in batches.
import { promises } from 'node:fs';
import { join } from 'node:path';
import type { Kiln } from '../kiln.js';
import type { StoredFile } from '../uploads/stored-file.js';
import type { UploadFields, UploadOptions } from '../uploads/upload-options.js';
import { fromPath } from './from-path.js';

export interface FolderUploadOptions extends Omit<UploadOptions, 'idempotencyKey' | 'onProgress'> {
  /** Which files are uploaded, by their path in the folder. Default: all. */
  filter?: (path: string) => boolean;
  /** Fields of a file. Its metadata is `{ path }` by default, because a file name has no folders. */
  fields?: (path: string) => UploadFields;
  /** Is called after each batch with the files that are done so far. */
  onProgress?: (progress: { files: number; totalFiles: number }) => void;
}

/** `path` is relative to the folder, with `/` between its parts. */
export type FolderFile = { path: string } & (
  { file: StoredFile; error?: undefined } | { file?: undefined; error: { code: string; message: string } }
);

export interface FolderUpload {
  /** To wait for them: `kiln.batches.waitFor(id)`. */
  batchIds: string[];
  files: FolderFile[];
}

/** The API takes this many files in one batch. */
const BATCH_FILES_MAX = 50;

/** Symbolic links are not followed. A file that fails has an `error`, and does not end the others. */
export async function uploadFolder(
  kiln: Kiln,
  folder: string,
  { filter = () => true, fields = () => ({}), onProgress, ...options }: FolderUploadOptions = {},
): Promise<FolderUpload> {
  const paths = (await pathsIn(folder)).filter(filter);
  const done: FolderUpload = { batchIds: [], files: [] };
  for (let at = 0; at < paths.length; at += BATCH_FILES_MAX) {
    const chosen = paths.slice(at, at + BATCH_FILES_MAX);
    const entries = chosen.map(async (path) => ({
      metadata: { path },
      ...fields(path),
      source: await fromPath(join(folder, path)),
    }));
    const { batch_id, files } = await kiln.batches.upload(await Promise.all(entries), options);
    done.batchIds.push(batch_id);
    done.files.push(...files.map((file, index): FolderFile => ({ path: chosen[index] ?? '', ...file })));
    onProgress?.({ files: done.files.length, totalFiles: paths.length });
  }
  return done;
}

/** In a fixed order. */
async function pathsIn(folder: string, prefix = ''): Promise<string[]> {
  const entries = await promises.readdir(join(folder, prefix), { withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) paths.push(...(await pathsIn(folder, `${path}/`)));
    else if (entry.isFile()) paths.push(path);
  }
  return paths;
}
