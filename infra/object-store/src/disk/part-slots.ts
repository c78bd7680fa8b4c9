// Stores the parts of an unfinished upload in one file. Part n has a slot at (n − 1) × the size of the first part that arrived. If the parts
// fill the file exactly, it becomes the object without a copy. A slot is written once. A part that is sent again or is larger than a slot
// gets its own file. The file is synced when it becomes the object. Until then it counts only until the machine boots again.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError, S3Error } from '../s3-errors.js';
import { bootId } from './boot-id.js';
import { SyncBehind } from './sync-behind.js';

/** Every file system supports files of this size. */
const SLOTS_FILE_BYTES_MAX = 5 * 1024 ** 4;

export interface SlotsFile {
  /** `<slot bytes>-<boot id>-<random>.slots`: a file that replaces another cannot be mistaken for it. */
  name: string;
  slotBytes: number;
}

/** The right to write one slot, held until `release`. */
export interface Slot {
  file: SlotsFile;
  path: string;
  handle: FileHandle;
  start: number;
  release(): Promise<void>;
}

export const recordName = (partNumber: number): string => `${partNumber}.slot`;
export const partFileName = (partNumber: number): string => `${partNumber}.part`;

export function slotsFileOf(names: readonly string[], boot: string): SlotsFile | undefined {
  const name = names.find((each) => each.endsWith('.slots') && each.includes(boot));
  return name === undefined ? undefined : { name, slotBytes: Number.parseInt(name, 10) };
}

export class PartSlots {
  readonly syncing = new SyncBehind();
  /** Part numbers being written, by folder. */
  readonly #claims = new Map<string, Set<number>>();

  /** Returns undefined when the part needs its own file. Call it under the lock of the folder. */
  async claim(folder: string, partNumber: number, sizeBytes: number): Promise<Slot | undefined> {
    const names = await namesIn(folder);
    const boot = await bootId();
    const file = slotsFileOf(names, boot) ?? newSlotsFile(sizeBytes, boot);
    const taken =
      names.includes(recordName(partNumber)) ||
      names.includes(partFileName(partNumber)) ||
      this.#claims.get(folder)?.has(partNumber) === true;
    const fits = sizeBytes > 0 && sizeBytes <= file.slotBytes && partNumber * file.slotBytes <= SLOTS_FILE_BYTES_MAX;
    if (taken || !fits) return undefined;
    const claims = this.#claims.get(folder) ?? new Set();
    this.#claims.set(folder, claims.add(partNumber));
    const drop = (): void => {
      claims.delete(partNumber);
      if (claims.size === 0) this.#claims.delete(folder);
    };
    try {
      const path = join(folder, file.name);
      const handle = await openSlots(path);
      const release = async (): Promise<void> => {
        drop();
        await handle.close();
      };
      return { file, path, handle, start: (partNumber - 1) * file.slotBytes, release };
    } catch (error) {
      drop();
      throw error;
    }
  }

  /** Whether a request may still write to the slots of this folder. */
  busy(folder: string): boolean {
    return this.#claims.has(folder);
  }
}

const newSlotsFile = (slotBytes: number, boot: string): SlotsFile => ({
  name: `${slotBytes}-${boot}-${randomBytes(8).toString('hex')}.slots`,
  slotBytes,
});

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw isSystemError(error, 'ENOENT') ? new S3Error('NoSuchUpload') : error;
  }
}

/** Opened for writing at positions. Created when missing, never truncated. */
const openSlots = (path: string): Promise<FileHandle> => open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
