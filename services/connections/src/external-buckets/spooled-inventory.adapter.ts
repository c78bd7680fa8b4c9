// A file of an inventory on the disk, whole and with the checksum of the manifest. The name is removed before the first byte arrives, so the
// system frees the space when the handle is closed, also when the process dies.
import { createHash, randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InventoryFile } from './domain/inventory-manifest.js';
import { damagedFile } from './domain/inventory-row.js';
import type { ExternalBucket } from './external-bucket.port.js';
import { fromBucket, openFile } from './inventory-transfer.adapter.js';

export interface SpooledFile {
  size: number;
  read(position: number, length: number): Promise<Buffer>;
  /** Frees the space. */
  close(): Promise<void>;
}

/** Throws BucketError. A full disk throws another error, since it is no fault of the store. */
export async function spool(bucket: ExternalBucket, file: InventoryFile, signal: AbortSignal): Promise<SpooledFile> {
  const handle = await openUnnamed();
  try {
    await copy(bucket, file, handle, signal);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    size: file.size,
    read: (position, length) => readAt(handle, position, length, signal),
    close: () => handle.close(),
  };
}

async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `kiln-inventory-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function copy(
  bucket: ExternalBucket,
  file: InventoryFile,
  handle: FileHandle,
  signal: AbortSignal,
): Promise<void> {
  const body = await openFile(bucket, file, signal);
  const hash = createHash('md5');
  let bytes = 0;
  try {
    for await (const chunk of fromBucket(body)) {
      signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > file.size) throw damagedFile(file.key, 'it is larger than the manifest says');
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
  } finally {
    body.destroy();
  }
  if (bytes < file.size) throw damagedFile(file.key, 'it is smaller than the manifest says');
  if (hash.digest('hex') !== file.md5) throw damagedFile(file.key, 'its MD5 checksum is not that of the manifest');
}

async function readAt(handle: FileHandle, position: number, length: number, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
