// The format of an object's file. One rename publishes the data together with its description:
//   data | description (JSON, UTF-8) | its length (uint32, big endian) | "KILNOBJ1"
// Data comes first because its size and ETag are only known at the end, and so that reading a range needs no offset.
import { createHash, randomUUID } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { S3Error } from '../s3-errors.js';
import { writePieces } from './write-pieces.js';

export interface ObjectDescription {
  key: string;
  sizeBytes: number;
  /** Hex, without quotes; `<hex>-<parts>` after a multipart upload. */
  etag: string;
  /** Milliseconds since 1970. */
  lastModifiedMs: number;
  /** Response headers kept with the object: content-type, cache-control, content-disposition, … and x-amz-meta-*. */
  headers: Record<string, string>;
}

export interface OpenObject {
  description: ObjectDescription;
  handle: FileHandle;
  /** The data of an object so small that it was read together with its description. */
  data?: Buffer;
}

/** A complete file that is not visible until it is renamed. */
export interface StagedFile {
  path: string;
  description: ObjectDescription;
  /** True: the file is kept when it cannot be published. */
  kept?: boolean;
}

const MAGIC = Buffer.from('KILNOBJ1');
const TAIL_BYTES = MAGIC.length + 4;
/** How much is read first: enough for the description of nearly every object. */
const TAIL_GUESS_BYTES = 2048;
/** A smaller file is read completely: another asynchronous read would take longer than the copy. */
const WHOLE_BYTES_MAX = 64 * 1024;

export interface StageOptions {
  folder: string;
  key: string;
  headers: Record<string, string>;
  /** True: the file is synced before it counts as complete. */
  durable: boolean;
  /** The tag of a multipart object, which is not the MD5 of its bytes. */
  etag?: string;
  nowMs: number;
}

/** Writes a temporary file, and removes it when anything fails, including `pieces`. */
export async function stageObject(pieces: AsyncIterable<Buffer>, options: StageOptions): Promise<StagedFile> {
  const { key, headers, nowMs, durable } = options;
  const path = join(options.folder, `${randomUUID()}.tmp`);
  const handle = await open(path, 'wx', 0o600);
  try {
    const hash = options.etag === undefined ? createHash('md5') : undefined;
    const sizeBytes = await writePieces(handle, pieces, { hash });
    const etag = options.etag ?? hash?.digest('hex') ?? '';
    const description: ObjectDescription = { key, sizeBytes, etag, lastModifiedMs: nowMs, headers };
    await endObject(handle, description, durable);
    await handle.close();
    return { path, description };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await discardFile(path);
    throw error;
  }
}

/** Completes a file that contains the data: appends the description. */
export async function endObject(handle: FileHandle, description: ObjectDescription, durable: boolean): Promise<void> {
  const tail = tailOf(description);
  for (let at = 0; at < tail.length;) {
    const { bytesWritten } = await handle.write(tail, at, tail.length - at, description.sizeBytes + at);
    at += bytesWritten;
  }
  if (durable) await handle.datasync();
}

export const discardFile = (path: string): Promise<void> => unlink(path).catch(() => undefined);

/** The trailer behind the data in an object's file. */
export function tailOf(description: ObjectDescription): Buffer {
  const json = Buffer.from(JSON.stringify(description));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([json, length, MAGIC]);
}

/** Opens an object. The caller closes the handle. Rejects with ENOENT when the object does not exist. */
export async function openObject(path: string): Promise<OpenObject> {
  const handle = await open(path, 'r');
  try {
    return { handle, ...(await readDescription(handle, path)) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export async function describeObject(path: string): Promise<ObjectDescription> {
  const { handle, description } = await openObject(path);
  await handle.close();
  return description;
}

async function readDescription(handle: FileHandle, path: string): Promise<Omit<OpenObject, 'handle'>> {
  const { size } = fstatSync(handle.fd); // in memory since the file was opened
  let tail = await readEnd(handle, size, size <= WHOLE_BYTES_MAX ? size : TAIL_GUESS_BYTES);
  if (tail.length < TAIL_BYTES || !tail.subarray(-MAGIC.length).equals(MAGIC)) throw damaged(path);
  const jsonBytes = tail.readUInt32BE(tail.length - TAIL_BYTES);
  const wanted = jsonBytes + TAIL_BYTES;
  if (wanted > size) throw damaged(path);
  if (wanted > tail.length) tail = await readEnd(handle, size, wanted);
  const description = JSON.parse(
    tail.toString('utf8', tail.length - wanted, tail.length - TAIL_BYTES),
  ) as ObjectDescription;
  if (description.sizeBytes !== size - wanted) throw damaged(path);
  return { description, ...(tail.length === size && { data: tail.subarray(0, description.sizeBytes) }) };
}

async function readEnd(handle: FileHandle, size: number, count: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(count);
  let filled = 0;
  while (filled < count) {
    const { bytesRead } = await handle.read(buffer, filled, count - filled, size - count + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

const damaged = (path: string): S3Error =>
  new S3Error('InternalError', `The file ${path} is not an object of this store.`);
