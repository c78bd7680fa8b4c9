// Removes leftovers of crashes and of clients: temporary files and multipart uploads that did not change for a day.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Buckets } from './buckets.js';

export const STALE_AFTER_MS = 24 * 3600 * 1000;

/** Returns how many files and uploads were removed. */
export async function sweepStale(buckets: Buckets, nowMs: number): Promise<number> {
  const before = nowMs - STALE_AFTER_MS;
  let swept = await sweepFolder(buckets.stagingFolder, before);
  for (const bucket of await readdir(buckets.uploadsRoot)) {
    swept += await sweepFolder(join(buckets.uploadsRoot, bucket), before);
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
