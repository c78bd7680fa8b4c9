// Looks for objects that no file owns: of uploads that died half-way and of registrations that failed. Ids are made in the
// order of time and lead the keys, so a pass lists only the ids made since the one before, however many objects there are.
// Nothing is removed before a pass has ended: from a bucket that is not this installation's own, or that holds many orphans, never.
import type { ObjectStore } from '@kiln/storage';
import { listPages } from '@kiln/storage';
import { idsFrom, timeOf } from '../domain/uuid-time.js';
import type { FileKey, OrphanPass, OrphanSearchStore, SearchObstacle } from '../store/orphan-search.store.js';
import type { Orphan, RemovalStore } from '../store/removal.store.js';
import type { OwnBucket } from './own-bucket.js';

export interface OrphanSearchOptions {
  /** What is younger may still be on its way: by its id, and by the time its bytes came. */
  graceSeconds: number;
  pauseSeconds: number;
  /** Of the file ids that a pass has seen. More orphans than that mean that the database is not the bucket's. */
  orphansPercentMax: number;
  /** So few are removed whatever their share is. */
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
  onFound: (orphans: number) => void;
  /** A pass has removed nothing. */
  onObstacle: (obstacle: SearchObstacle, counts: { idsSeen: number; orphans: number }) => void;
  isStopping: () => boolean;
}

/** Longer than a tenant's files of an hour take to list. */
const LEASE_SECONDS = 600;
/** Listed at a time, for the age of their bytes. */
const ORPHANS_PER_PAGE = 50;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const lastPart = (prefix: string) => prefix.split('/').at(-2) ?? '';

export class FindOrphans {
  constructor(
    private readonly parts: FindOrphansParts,
    private readonly options: OrphanSearchOptions = ORPHAN_SEARCH,
  ) {}

  /** One pass, or the rest of one; false when there is none to do, it has removed nothing, or another has taken it over. */
  async round(): Promise<boolean> {
    const { search, bucket, objects } = this.parts;
    const { graceSeconds, pauseSeconds } = this.options;
    const pass = await search.claim(LEASE_SECONDS, graceSeconds);
    if (pass === null) return false;
    const obstacle = await bucket.obstacle();
    if (obstacle !== null) return this.stop(pass, obstacle, { idsSeen: 0, orphans: 0 });
    if (!(await this.searchBucket(pass))) return false;
    const counts = await search.counts();
    if (this.isTooMany(counts)) return this.stop(pass, 'too_many_orphans', counts);
    if (!(await this.handOver(pass))) return false;
    await objects.abortStaleUploads({ olderThan: pass.until });
    // The database first: one that is behind the bucket was restored from a backup.
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

  /** False when the rest is left to another. */
  private async searchBucket(pass: OrphanPass): Promise<boolean> {
    const { search, objects, isStopping } = this.parts;
    const startAfter = pass.afterTenant === '' ? {} : { startAfter: `${pass.afterTenant}/~` };
    for await (const { prefixes } of listPages(objects, '', { delimiter: '/', ...startAfter })) {
      for (const prefix of prefixes) {
        const tenantId = lastPart(prefix);
        if (tenantId <= pass.afterTenant) continue;
        const idsSeen = UUID.test(tenantId) ? await this.searchTenant(tenantId, pass) : 0;
        const isOurs = await search.advance(pass, tenantId, idsSeen, LEASE_SECONDS);
        // What stops here is taken up by another once the lease is over.
        if (!isOurs || isStopping()) return false;
      }
    }
    return true;
  }

  /** Answers how many file ids it has seen. */
  private async searchTenant(tenantId: string, { from, until }: OrphanPass): Promise<number> {
    const { search, objects } = this.parts;
    const prefix = `${tenantId}/`;
    const startAfter = from === null ? {} : { startAfter: prefix + idsFrom(from) };
    let idsSeen = 0;
    for await (const page of listPages(objects, prefix, { delimiter: '/', ...startAfter })) {
      const ids = page.prefixes.map(lastPart).filter((id) => UUID.test(id));
      const inTime = ids.filter((id) => timeOf(id) < until);
      const known = inTime.length === 0 ? new Set() : await search.known(tenantId, inTime);
      const orphans = inTime.filter((id) => !known.has(id));
      await search.addCandidates(tenantId, orphans);
      idsSeen += inTime.length;
      // Keys are in order: what follows is younger still.
      if (inTime.length < ids.length) break;
    }
    return idsSeen;
  }

  /** What the pass has found is removed from now on. False when the rest is left to another. */
  private async handOver(pass: OrphanPass): Promise<boolean> {
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

  /** Bytes of an upload that took hours may be younger than their id. */
  private async orphan({ tenantId, fileId }: FileKey): Promise<Orphan> {
    const { objects } = await this.parts.objects.list(`${tenantId}/${fileId}/`);
    const youngest = Math.max(0, ...objects.map(({ lastModified }) => lastModified.getTime()));
    return { tenantId, fileId, dueAt: new Date(youngest + this.options.graceSeconds * 1_000) };
  }
}
