// Removes leftovers of crashes and of clients: temporary files that did not change for a day, and multipart uploads that did not for eight days.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Buckets } from './buckets.js';

export const STALE_AFTER_MS = 24 * 3600 * 1000;
/** Kiln gives clients seven days to complete an upload in parts, unless it is set otherwise. */
const UPLOADS_STALE_AFTER_MS = 8 * STALE_AFTER_MS;

/** Returns how many files and uploads were removed. */
export async function sweepStale(buckets: Buckets, nowMs: number): Promise<number> {
  let swept = await sweepFolder(buckets.stagingFolder, nowMs - STALE_AFTER_MS);
  for (const bucket of await readdir(buckets.uploadsRoot)) {
    swept += await sweepFolder(join(buckets.uploadsRoot, bucket), nowMs - UPLOADS_STALE_AFTER_MS);
  }
  return swept;
}

async function sweepFolder(folder: string, beforeMs: number): Promise<number> {
  let swept = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Each part that arrives updates the folder's time, so active uploads are never old.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs >= beforeMs) continue;
    await rm(path, { recursive: true, force: true });
    swept += 1;
  }
  return swept;
}
