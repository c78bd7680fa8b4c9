// Uploads the files of a folder and of the folders in it, in batches.
import { promises } from 'node:fs';
import { join } from 'node:path';
import { KilnError } from '../core/errors.js';
import type { Kiln } from '../kiln.js';
import type { StoredFile } from '../uploads/stored-file.js';
import type { BatchEntry } from '../uploads/upload-batch.js';
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
  | { file: StoredFile; error?: undefined }
  | { file?: undefined; error: { code: string; message: string } }
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
    const found = await Promise.all(paths.slice(at, at + BATCH_FILES_MAX).map((path) => find(folder, path)));
    const entries = found.flatMap(({ path, source }) =>
      source ? [{ metadata: { path }, ...fields(path), source }] : [],
    );
    const { batchId, files } = await uploadOrErrors(kiln, entries, options);
    if (batchId !== null) done.batchIds.push(batchId);
    const results = files.values();
    for (const { path, source } of found)
      done.files.push({ path, ...((source && results.next().value) ?? UNREADABLE) });
    onProgress?.({ files: done.files.length, totalFiles: paths.length });
  }
  return done;
}

const UNREADABLE = { error: { code: 'UNREADABLE', message: 'The file cannot be read.' } };

/** Without a source for a file that is gone since the folder was read. */
const find = async (folder: string, path: string) => ({
  path,
  source: await fromPath(join(folder, path)).catch(() => null),
});

/** If the batch as a whole fails, each of its files has the error. */
async function uploadOrErrors(kiln: Kiln, entries: readonly BatchEntry[], options: UploadOptions) {
  if (entries.length === 0) return { batchId: null, files: [] };
  try {
    const { batch_id: batchId, files } = await kiln.batches.upload(entries, options);
    return { batchId, files };
  } catch (thrown) {
    options.signal?.throwIfAborted();
    if (!(thrown instanceof KilnError)) throw thrown;
    const { code, message } = thrown;
    return { batchId: null, files: entries.map(() => ({ error: { code, message } })) };
  }
}

/** In a fixed order. */
async function pathsIn(folder: string, prefix = ''): Promise<string[]> {
  const entries = await promises.readdir(join(folder, prefix), { withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${prefix}${entry.name}`;
    // One by one: the arguments of one call would have to fit onto the stack.
    if (entry.isDirectory()) {
      for (const inner of await pathsIn(folder, `${path}/`)) paths.push(inner);
    } else if (entry.isFile()) paths.push(path);
  }
  return paths;
}
