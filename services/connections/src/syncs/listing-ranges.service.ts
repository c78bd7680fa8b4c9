// Splits a listing into ranges of keys, so that several pages can be requested at a time. Only listings in the order of UTF-8 are split.
import { Injectable } from '@nestjs/common';
import type { OpenBucket } from '../connections/bucket-access.service.js';
import { foldersOf, isStorableKey, rootOf } from '../nodes/listed-nodes.domain.js';
import { laterBranches } from './domain/key-branches.js';
import { isInRange, splitRange, type ListingRange } from './domain/listing-range.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { listsByRange, rangesOf, type SyncRow } from './sync.rows.js';
import { SyncPageStore } from './sync-page.store.js';
import { leaseOf } from './sync.store.js';

/** The folders whose contents are looked at, the outermost first. */
const FOLDERS_MAX = 3;
/** With so many ranges, no further folder is looked at. */
const RANGES_ENOUGH = 8;
const PREFIXES_PER_REQUEST = 1_000;
/** Of the requests for a single key: a small part of the time of the pages that are left, if the bucket is large. */
const KEY_REQUESTS_MAX = 24;
const BRANCHES_ENOUGH = 15;

@Injectable()
export class ListingRanges {
  constructor(private readonly pages: SyncPageStore) {}

  /**
   * If one range is left of a listing, splits it at paths of the sample or, without one, at the folders that the bucket has after the keys
   * listed so far. If these are few, splits it also where the later keys branch. Throws LeaseLostError and BucketError.
   */
  async split(sync: SyncRow, opened: OpenBucket, sample: readonly string[], signal: AbortSignal): Promise<SyncRow> {
    const [last, ...others] = rangesOf(sync).filter(({ listed }) => !listed);
    if (!listsByRange(sync) || last === undefined || others.length > 0) return sync;
    const keys = sample.length > 0 ? sample : await prefixesAfter(last, opened, signal);
    const ranges = splitRange(last, keys);
    if (ranges.length === 1 || !(await listsAfter(ranges.at(-1)?.after, opened, signal))) return sync;
    if (!(await this.pages.split(leaseOf(sync), ranges))) throw new LeaseLostError();
    return { ...sync, ranges };
  }
}

/** Prefixes after the last listed key. */
async function prefixesAfter(range: ListingRange, opened: OpenBucket, signal: AbortSignal): Promise<string[]> {
  const { position } = range;
  if (position === null) return [];
  const folders = await foldersAfter(range, position, opened, signal);
  if (splitRange(range, folders).length >= RANGES_ENOUGH) return folders;
  const branches = await branchesAfter(range, position, opened, signal);
  return [...folders, ...branches.filter((branch) => !folders.some((folder) => folder.startsWith(branch)))];
}

/** Folders beside the folders of the last listed key, the outermost first. */
async function foldersAfter(
  range: ListingRange,
  position: string,
  { bucket, connection: { prefix } }: OpenBucket,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [prefix, ...foldersOf(position, rootOf(prefix))].slice(0, FOLDERS_MAX)) {
    signal.throwIfAborted();
    const request = { prefix: folder, startAfter: position, delimiter: '/', limit: PREFIXES_PER_REQUEST, signal };
    const { prefixes } = await bucket.list(request);
    found.push(...prefixes.filter(isStorableKey));
    if (splitRange(range, found).length >= RANGES_ENOUGH) break;
  }
  return found;
}

/** Prefixes at which the later keys branch. */
async function branchesAfter(
  range: ListingRange,
  position: string,
  { bucket, connection: { prefix } }: OpenBucket,
  signal: AbortSignal,
): Promise<string[]> {
  const limits = { enough: BRANCHES_ENOUGH, requestsMax: KEY_REQUESTS_MAX };
  const found = await laterBranches(position, prefix, limits, async (after) => {
    signal.throwIfAborted();
    const { objects } = await bucket.list({ prefix, startAfter: after, limit: 1, signal });
    const key = objects[0]?.key;
    return key !== undefined && key.isWellFormed() && isInRange(key, range) ? key : null;
  });
  return found.filter(isStorableKey);
}

/** Some stores ignore the key after which a listing begins, so every range would list the whole bucket. */
async function listsAfter(
  key: string | undefined,
  { bucket, connection: { prefix } }: OpenBucket,
  signal: AbortSignal,
): Promise<boolean> {
  const { objects, next } = await bucket.list({ prefix, startAfter: key, limit: 2, signal });
  return objects.length > 0 || next === null;
}
