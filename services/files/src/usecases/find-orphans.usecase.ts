// Looks for objects that no file owns: of uploads that died half-way and of registrations that failed. Ids are made in the
// order of time and lead the keys, so a pass lists only the ids made since the one before, however many objects there are.
import type { ObjectStore } from '@kiln/storage';
import { listPages } from '@kiln/storage';
import { idsFrom, timeOf } from '../domain/uuid-time.js';
import { OrphanSearchStore, type OrphanPass } from '../store/orphan-search.store.js';
import { RemovalStore, type Orphan } from '../store/removal.store.js';

export interface OrphanSearchOptions {
  /** What is younger may still be on its way: by its id, and by the time its bytes came. */
  graceSeconds: number;
  pauseSeconds: number;
}

export const ORPHAN_SEARCH: OrphanSearchOptions = { graceSeconds: 12 * 3_600, pauseSeconds: 3_600 };

/** Longer than a tenant's files of an hour take to list. */
const LEASE_SECONDS = 600;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const lastPart = (prefix: string) => prefix.split('/').at(-2) ?? '';

export class FindOrphans {
  constructor(
    private readonly search: OrphanSearchStore,
    private readonly removals: RemovalStore,
    private readonly objects: Pick<ObjectStore, 'list' | 'abortStaleUploads'>,
    private readonly onFound: (orphans: number) => void,
    private readonly options: OrphanSearchOptions = ORPHAN_SEARCH,
    private readonly isStopping: () => boolean = () => false,
  ) {}

  /** One pass, or the rest of one; false when there is none to do, or another has taken it over. */
  async round(): Promise<boolean> {
    const pass = await this.search.claim(LEASE_SECONDS, this.options.graceSeconds);
    if (pass === null) return false;
    const startAfter = pass.afterTenant === '' ? {} : { startAfter: `${pass.afterTenant}/~` };
    for await (const { prefixes } of listPages(this.objects, '', { delimiter: '/', ...startAfter })) {
      for (const prefix of prefixes) {
        const tenantId = lastPart(prefix);
        if (tenantId <= pass.afterTenant) continue;
        if (UUID.test(tenantId)) await this.searchTenant(tenantId, pass);
        const isOurs = await this.search.advance(pass, tenantId, LEASE_SECONDS);
        // What stops here is taken up by another once the lease is over.
        if (!isOurs || this.isStopping()) return false;
      }
    }
    await this.objects.abortStaleUploads({ olderThan: pass.until });
    await this.search.finish(pass, this.options.pauseSeconds);
    return true;
  }

  private async searchTenant(tenantId: string, { from, until }: OrphanPass): Promise<void> {
    const prefix = `${tenantId}/`;
    const startAfter = from === null ? {} : { startAfter: prefix + idsFrom(from) };
    for await (const page of listPages(this.objects, prefix, { delimiter: '/', ...startAfter })) {
      const ids = page.prefixes.map(lastPart).filter((id) => UUID.test(id));
      const inTime = ids.filter((id) => timeOf(id) < until);
      const known = inTime.length === 0 ? new Set() : await this.search.known(tenantId, inTime);
      const orphans = inTime.filter((id) => !known.has(id));
      await this.removals.addOrphans(await Promise.all(orphans.map((fileId) => this.orphan(tenantId, fileId))));
      if (orphans.length > 0) this.onFound(orphans.length);
      // Keys are in order: what follows is younger still.
      if (inTime.length < ids.length) return;
    }
  }

  /** Bytes of an upload that took hours may be younger than their id. */
  private async orphan(tenantId: string, fileId: string): Promise<Orphan> {
    const { objects } = await this.objects.list(`${tenantId}/${fileId}/`);
    const youngest = Math.max(0, ...objects.map(({ lastModified }) => lastModified.getTime()));
    return { tenantId, fileId, dueAt: new Date(youngest + this.options.graceSeconds * 1_000) };
  }
}
