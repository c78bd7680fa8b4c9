// Finds objects that belong to no file, because an upload was interrupted or a registration failed. File ids are made in the
// order of time and lead the keys, so a pass lists only the ids made since the previous one, however many objects there are. A
// pass removes nothing before it has finished. It removes nothing at all from a bucket that belongs to another installation or
// that holds many orphans.
import { parseSourceKey } from '@kiln/contracts';
import type { ObjectStore, UnfinishedUpload } from '@kiln/storage';
import type { Orphan, RemovalStore } from '../deletion/removal.store.js';
import type { PartUploadStore } from '../parts/part-upload.store.js';
import type { SearchObstacle } from './orphan-search.entity.js';
import type { FileKey, OrphanPass, OrphanSearchStore } from './orphan-search.store.js';
import type { OwnBucket } from './own-bucket.service.js';
import { SearchBucket } from './search-bucket.service.js';

export interface OrphanSearchOptions {
  /**
   * A younger object may still be uploading. The limit applies to the time of the id, and to the time when the bytes were
   * written.
   */
  graceSeconds: number;
  pauseSeconds: number;
  /** The share of the file ids that a pass has seen. More orphans indicate that the database does not belong to the bucket. */
  orphansPercentMax: number;
  /** So many orphans are removed whatever their share is. */
  orphansFloor: number;
}

export const ORPHAN_SEARCH: OrphanSearchOptions = {
  graceSeconds: 12 * 3_600,
  pauseSeconds: 3_600,
  orphansPercentMax: 5,
  orphansFloor: 10,
};

export interface FindOrphansParts {
  search: OrphanSearchStore;
  bucket: OwnBucket;
  removals: RemovalStore;
  objects: Pick<ObjectStore, 'list' | 'abortStaleUploads'>;
  partUploads: Pick<PartUploadStore, 'findKnown'>;
  onFound: (orphans: number) => void;
  /** Called when a pass has removed nothing. */
  onObstacle: (obstacle: SearchObstacle, counts: { idsSeen: number; orphans: number }) => void;
  isStopping: () => boolean;
}

/** A page takes less time. */
const LEASE_SECONDS = 600;
/** Orphans whose objects are listed concurrently. */
const ORPHANS_PER_PAGE = 50;

export class FindOrphans {
  constructor(
    private readonly parts: FindOrphansParts,
    private readonly options: OrphanSearchOptions = ORPHAN_SEARCH,
  ) {}

  /** Runs or resumes one pass. Returns false when none is due, when it has removed nothing, or when the lease is lost. */
  async round(): Promise<boolean> {
    const { search, bucket } = this.parts;
    const { graceSeconds, pauseSeconds } = this.options;
    const pass = await search.claim(LEASE_SECONDS, graceSeconds);
    if (pass === null) return false;
    const obstacle = await bucket.obstacle();
    if (obstacle !== null) return this.stop(pass, obstacle, { idsSeen: 0, orphans: 0 });
    if (!(await new SearchBucket(this.parts, LEASE_SECONDS).execute(pass))) return false;
    const counts = await search.counts();
    if (this.isTooMany(counts)) return this.stop(pass, 'too_many_orphans', counts);
    if (!(await this.requestRemovals(pass))) return false;
    if (!(await this.abortStaleUploads(pass))) return false;
    // The database is written first: if it is behind the bucket, it was restored from a backup.
    if (!(await search.finish(pass, pauseSeconds))) return false;
    await bucket.update();
    return true;
  }

  private async stop(
    pass: OrphanPass,
    obstacle: SearchObstacle,
    counts: { idsSeen: number; orphans: number },
  ): Promise<false> {
    await this.parts.search.stop(pass, this.options.pauseSeconds, obstacle);
    this.parts.onObstacle(obstacle, counts);
    return false;
  }

  private isTooMany({ idsSeen, orphans }: { idsSeen: number; orphans: number }): boolean {
    const { orphansFloor, orphansPercentMax } = this.options;
    return orphans > orphansFloor && orphans * 100 > idsSeen * orphansPercentMax;
  }

  /** Requests the removal of everything the pass has found. Returns false when another process will continue. */
  private async requestRemovals(pass: OrphanPass): Promise<boolean> {
    const { search, removals, onFound, isStopping } = this.parts;
    for (;;) {
      const found = await search.candidates(ORPHANS_PER_PAGE);
      if (found.length === 0) return true;
      await removals.addOrphans(await Promise.all(found.map((key) => this.orphan(key))));
      await search.dropCandidates(found);
      onFound(found.length);
      if (!(await search.renew(pass, LEASE_SECONDS)) || isStopping()) return false;
    }
  }

  /** Returns false when another process will continue. */
  private async abortStaleUploads(pass: OrphanPass): Promise<boolean> {
    const { search, objects, isStopping } = this.parts;
    let isHeld = true;
    const afterPage = async () => (isHeld = (await search.renew(pass, LEASE_SECONDS)) && !isStopping());
    const keep = (uploads: readonly UnfinishedUpload[]) => this.known(uploads);
    await objects.abortStaleUploads({ olderThan: pass.until, keep, afterPage });
    return isHeld;
  }

  /** Uploads in parts may take longer than the grace period. */
  private known(uploads: readonly UnfinishedUpload[]): Promise<Set<string>> {
    const named = uploads.flatMap(({ key, uploadId }) => {
      const source = parseSourceKey(key);
      return source ? [{ ...source, storeUploadId: uploadId }] : [];
    });
    return this.parts.partUploads.findKnown(named);
  }

  /** The bytes of an upload that took hours may be younger than its id. */
  private async orphan({ tenantId, fileId }: FileKey): Promise<Orphan> {
    const { objects } = await this.parts.objects.list(`${tenantId}/${fileId}/`);
    const youngest = Math.max(0, ...objects.map(({ lastModified }) => lastModified.getTime()));
    return { tenantId, fileId, dueAt: new Date(youngest + this.options.graceSeconds * 1_000) };
  }
}
