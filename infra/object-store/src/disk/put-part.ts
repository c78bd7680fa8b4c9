// Stores one part of an upload, in its slot or in its own file. The part counts once it is complete.
import { createHash, randomBytes } from 'node:crypto';
import type { Buckets } from './buckets.js';
import { SECTOR_BYTES } from './direct-io.js';
import { stageObject } from './object-file.js';
import type { PartSlots, Slot } from './part-slots.js';
import { recordPartFile, recordSlot, type PartDescription } from './upload-parts.js';
import { writePieces } from './write-pieces.js';

export interface PartBody {
  /** Only the writer may use the pieces: it releases their memory after it has written them. */
  pieces: AsyncIterable<Buffer>;
  /** Set when `pieces` fails instead of yielding more than this. */
  sizeBytesMax?: number;
  /** The MD5 of the bytes, or a random tag, which costs nothing. */
  tag: 'md5' | 'random';
}

export interface PutPartContext {
  /** Of the upload. */
  folder: string;
  key: string;
  buckets: Buckets;
  slots: PartSlots;
}

export async function putPart(
  context: PutPartContext,
  partNumber: number,
  body: PartBody,
  nowMs: number,
): Promise<PartDescription> {
  const { folder, buckets, slots } = context;
  const slot = await buckets.lock.run(folder, () => slots.claim(folder, partNumber, body.sizeBytesMax ?? 0));
  if (slot === undefined) return putFile(context, partNumber, body, nowMs);
  try {
    return await fillSlot(context, slot, partNumber, body, nowMs);
  } finally {
    await slot.release();
  }
}

async function fillSlot(
  { folder, buckets, slots }: PutPartContext,
  { file, path, handle, start }: Slot,
  partNumber: number,
  { pieces, tag }: PartBody,
  nowMs: number,
): Promise<PartDescription> {
  const hash = tag === 'md5' ? createHash('md5') : undefined;
  // The zeros with which a direct write fills its last sector must stay within the slot.
  const direct = file.slotBytes % SECTOR_BYTES === 0 ? buckets.direct : undefined;
  const written = await direct?.write(path, start, pieces, hash);
  const sizeBytes = written ?? (await writePieces(handle, pieces, { start, hash }));
  if (buckets.durable && written === undefined) slots.syncing.start(path);
  const part = { partNumber, sizeBytes, etag: hash?.digest('hex') ?? randomTag(), lastModifiedMs: nowMs };
  await buckets.lock.run(folder, () => recordSlot(folder, file, part));
  return part;
}

async function putFile(
  { folder, key, buckets }: PutPartContext,
  partNumber: number,
  { pieces, tag }: PartBody,
  nowMs: number,
): Promise<PartDescription> {
  const { stagingFolder, durable, lock } = buckets;
  const options = { folder: stagingFolder, key, headers: {}, durable, nowMs };
  const staged = await stageObject(pieces, tag === 'random' ? { ...options, etag: randomTag() } : options);
  await lock.run(folder, () => recordPartFile(folder, partNumber, staged));
  const { sizeBytes, etag, lastModifiedMs } = staged.description;
  return { partNumber, sizeBytes, etag, lastModifiedMs };
}

/** Looks like an MD5, and is unique. */
const randomTag = (): string => randomBytes(16).toString('hex');
