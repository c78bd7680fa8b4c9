// Stores small objects: collects them in memory and writes them synchronously, because an asynchronous write would take longer than the copy.
// Only syncs of the disk are asynchronous.
import { hash, randomUUID } from 'node:crypto';
import { closeSync, fdatasync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { discardFile, tailOf, type ObjectDescription, type StagedFile, type StageOptions } from './object-file.js';

/** The most that is written before another request is served. */
export const SMALL_BYTES_MAX = 64 * 1024;

const dataSync = promisify(fdatasync);

/** As `stageObject`, for pieces of at most SMALL_BYTES_MAX together. */
export async function stageSmallObject(pieces: AsyncIterable<Buffer>, options: StageOptions): Promise<StagedFile> {
  const { key, headers, nowMs, durable } = options;
  const gathered: Buffer[] = [];
  for await (const piece of pieces) gathered.push(piece);
  const data = Buffer.concat(gathered);
  const etag = hash('md5', data);
  const description: ObjectDescription = { key, sizeBytes: data.length, etag, lastModifiedMs: nowMs, headers };
  const path = join(options.folder, `${randomUUID()}.tmp`);
  await writeFile(path, Buffer.concat([data, tailOf(description)]), durable);
  return { path, description };
}

async function writeFile(path: string, bytes: Buffer, durable: boolean): Promise<void> {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    if (durable) await dataSync(file);
  } catch (error) {
    await discardFile(path);
    throw error;
  } finally {
    closeSync(file);
  }
}
