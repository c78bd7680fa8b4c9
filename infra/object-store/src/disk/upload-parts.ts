// The parts of one upload that have arrived, read from its folder:
//   <slot bytes>-<boot id>-<random>.slots   the slots (part-slots.ts)
//   <n>.slot                                what lies in slot n, once all its bytes do; JSON
//   <n>.part                                part n in an object file of its own, which counts before its slot
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { isSystemError, S3Error } from '../s3-errors.js';
import { bootId } from './boot-id.js';
import { inParallel } from './in-parallel.js';
import { describeObject, discardFile, type StagedFile } from './object-file.js';
import { partFileName, recordName, slotsFileOf, type SlotsFile } from './part-slots.js';

export interface PartDescription {
  partNumber: number;
  sizeBytes: number;
  etag: string;
  lastModifiedMs: number;
}

export interface Part extends PartDescription {
  path: string;
  /** The position of the part's first byte in the file. */
  start: number;
  inSlot: boolean;
}

const READ_BYTES = 256 * 1024;

/** In order of their numbers. */
export async function readParts(folder: string): Promise<Part[]> {
  const names = await readdir(folder).catch(() => []);
  const slots = slotsFileOf(names, await bootId());
  const files = new Set(names.filter((name) => name.endsWith('.part')).map(numberOf));
  const numbers = new Set([...files, ...names.filter((name) => name.endsWith('.slot')).map(numberOf)]);
  const sorted = [...numbers].sort((a, b) => a - b);
  const parts = await inParallel(sorted, async (partNumber) => {
    if (files.has(partNumber)) return readPartFile(folder, partNumber);
    return slots === undefined ? undefined : readSlot(folder, partNumber, slots);
  });
  return parts.filter((part) => part !== undefined);
}

const numberOf = (name: string): number => Number.parseInt(name, 10);

/** Call it under the lock of the folder, once the bytes of the slot are written. */
export async function recordSlot(folder: string, slots: SlotsFile, part: PartDescription): Promise<void> {
  const text = JSON.stringify({ ...part, slots: slots.name });
  await writeFile(join(folder, recordName(part.partNumber)), text, { mode: 0o600 }).catch(refuseMissing);
}

/** Call it under the lock of the folder. The staged file becomes the part. */
export async function recordPartFile(folder: string, partNumber: number, staged: StagedFile): Promise<void> {
  try {
    await rename(staged.path, join(folder, partFileName(partNumber))).catch(refuseMissing);
  } catch (error) {
    await discardFile(staged.path);
    throw error;
  }
  await rm(join(folder, recordName(partNumber)), { force: true });
}

/** The bytes of several parts, one after the other. */
export async function* joined(parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const { path, start, sizeBytes } of parts) {
    if (sizeBytes === 0) continue;
    const options = { start, end: start + sizeBytes - 1, highWaterMark: READ_BYTES };
    for await (const piece of createReadStream(path, options)) yield piece as Buffer;
  }
}

async function readPartFile(folder: string, partNumber: number): Promise<Part> {
  const path = join(folder, partFileName(partNumber));
  const { sizeBytes, etag, lastModifiedMs } = await describeObject(path);
  return { partNumber, sizeBytes, etag, lastModifiedMs, path, start: 0, inSlot: false };
}

/** Returns undefined when the record is truncated, or belongs to another file. */
async function readSlot(folder: string, partNumber: number, slots: SlotsFile): Promise<Part | undefined> {
  try {
    const text = await readFile(join(folder, recordName(partNumber)), 'utf8');
    const { slots: name, ...part } = JSON.parse(text) as PartDescription & { slots: string };
    if (name !== slots.name) return undefined;
    return { ...part, path: join(folder, name), start: (partNumber - 1) * slots.slotBytes, inSlot: true };
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The folder was removed with its upload. */
function refuseMissing(error: unknown): never {
  throw isSystemError(error, 'ENOENT') ? new S3Error('NoSuchUpload') : error;
}
