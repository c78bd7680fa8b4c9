// Lists the ids of every tenant that were made in the time of the pass, and notes ids without a file. Each page renews the lease
// and keeps the provider's cursor, so that another process continues where this one ended.
import { listPages, StorageError, type ObjectPage, type ObjectStore } from '@kiln/storage';
import { idPrefixes, idsFrom, timeOf } from './uuid-time.domain.js';
import type { IdPlace, OrphanPass, OrphanSearchStore } from './orphan-search.store.js';

export interface SearchBucketParts {
  search: OrphanSearchStore;
  objects: Pick<ObjectStore, 'list'>;
  isStopping: () => boolean;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FOLDERS = { delimiter: '/' };
const lastPart = (prefix: string) => prefix.split('/').at(-2) ?? '';

export class SearchBucket {
  constructor(
    private readonly parts: SearchBucketParts,
    private readonly leaseSeconds: number,
  ) {}

  /** Returns false when another process will continue. */
  async execute(pass: OrphanPass): Promise<boolean> {
    const { search, isStopping } = this.parts;
    let cursor = await this.usable('', pass.tenantsCursor);
    for await (const { prefixes, nextCursor } of this.pagesFrom('', cursor)) {
      for (const tenantId of prefixes.map(lastPart)) {
        if (tenantId <= pass.afterTenant) continue;
        const idsSeen = UUID.test(tenantId) ? await this.searchTenant(tenantId, pass) : 0;
        if (idsSeen === null) return false;
        const place = { afterTenant: tenantId, tenantsCursor: cursor };
        const isHeld = await search.advance(pass, place, idsSeen, this.leaseSeconds);
        if (!isHeld || isStopping()) return false;
      }
      cursor = nextCursor;
    }
    return true;
  }

  /** Returns the number of ids that are not recorded yet, or null when another process will continue. */
  private async searchTenant(tenantId: string, pass: OrphanPass): Promise<number | null> {
    const { from, until, idsPrefix: begun, idsCursor } = pass;
    const startAfter = from === null ? {} : { startAfter: `${tenantId}/${idsFrom(from)}` };
    const isBegun = begun?.startsWith(`${tenantId}/`) === true;
    let seenBefore = 0;
    for (const ids of from === null ? [''] : idPrefixes(from, until)) {
      const idsPrefix = `${tenantId}/${ids}`;
      if (isBegun && idsPrefix < begun) continue;
      const cursor = await this.usable(idsPrefix, idsPrefix === begun ? idsCursor : null);
      let seen = cursor === null ? 0 : pass.idsInPrefix;
      for await (const page of this.pagesFrom(idsPrefix, cursor, startAfter)) {
        const { idsSeen, isLast } = await this.searchPage(tenantId, page, until);
        seen += idsSeen;
        // Keys are in order, so all following ones are younger.
        if (isLast) return seenBefore + seen;
        if (page.nextCursor === null) continue;
        const place = { idsPrefix, idsCursor: page.nextCursor, idsInPrefix: seen };
        if (!(await this.keepPlace(pass, place, seenBefore))) return null;
        seenBefore = 0;
      }
      seenBefore += seen;
    }
    return seenBefore;
  }

  private async keepPlace(pass: OrphanPass, place: IdPlace, idsSeen: number): Promise<boolean> {
    const { search, isStopping } = this.parts;
    return (await search.keepPlace(pass, place, idsSeen, this.leaseSeconds)) && !isStopping();
  }

  private async searchPage(tenantId: string, { prefixes }: ObjectPage, until: Date) {
    const { search } = this.parts;
    const ids = prefixes.map(lastPart).filter((id) => UUID.test(id));
    const inTime = ids.filter((id) => timeOf(id) < until);
    const existing = inTime.length === 0 ? new Set() : await search.existing(tenantId, inTime);
    await search.addCandidates(
      tenantId,
      inTime.filter((id) => !existing.has(id)),
    );
    return { idsSeen: inTime.length, isLast: inTime.length < ids.length };
  }

  private pagesFrom(prefix: string, cursor: string | null, options: { startAfter?: string } = {}) {
    const { objects } = this.parts;
    return listPages(objects, prefix, { ...FOLDERS, ...options, ...(cursor !== null && { cursor }) });
  }

  /** Returns null when the provider refuses an expired cursor; the listing then begins anew. */
  private async usable(prefix: string, cursor: string | null): Promise<string | null> {
    if (cursor === null) return null;
    try {
      await this.parts.objects.list(prefix, { ...FOLDERS, cursor, limit: 1 });
      return cursor;
    } catch (error) {
      if (error instanceof StorageError && error.code === 'invalid') return null;
      throw error;
    }
  }
}
