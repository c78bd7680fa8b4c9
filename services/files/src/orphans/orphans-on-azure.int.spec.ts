// Real: Postgres, and Azurite, whose listings begin at the first key, as those of Azure.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StorageError, type ListOptions, type ObjectPage, type ObjectStore } from '@kiln/storage';
import { createAzureObjectStore } from '@kiln/storage/azure';
import { startAzurite, type Azurite } from '@kiln/storage/test-support';
import { v7 as uuidv7 } from 'uuid';
import { startFiles, type FilesHarness } from '../test/files-harness.js';
import { FindOrphans, ORPHAN_SEARCH } from './find-orphans.usecase.js';
import { OwnBucket } from './own-bucket.service.js';

const HOUR_MS = 3_600_000;
const idOfAge = (hours: number) => uuidv7({ msecs: Date.now() - hours * HOUR_MS });
const LIMIT = 2;

class Killed extends Error {}

interface Hooks {
  /** Is called when the search checks whether a cursor is usable. */
  onCursor?: () => void;
  /** Is called at the end of the pass with the number of ids that it has seen. It finds too many orphans. */
  onCounts?: (idsSeen: number) => void;
}

describe('a search for orphans in a store that lists from the first key', () => {
  let azurite: Azurite;
  let kiln: FilesHarness;
  let store: ObjectStore;
  /** The folders of tenants and of files on the pages that were listed. */
  let listed: string[];
  /** The prefix of each of these pages. */
  let asked: string[];

  beforeAll(async () => {
    azurite = await startAzurite();
    kiln = await startFiles();
    store = createAzureObjectStore({
      endpoint: azurite.url,
      container: 'files',
      accountName: azurite.accountName,
      accountKey: azurite.accountKey,
    });
    await store.ensureBucket();
    expect(await new OwnBucket(kiln.orphanSearch, store).obstacle()).toBeNull();
  });
  afterAll(async () => {
    store.close();
    await kiln.close();
    await azurite.close();
  });

  const put = (tenantId: string, fileId: string) =>
    store.put(`${tenantId}/${fileId}/source`, 'text', { contentType: 'text/plain' });
  /** Lists small pages, and dies after this number of them. */
  const searcher = (pagesUntilDeath = Infinity, { onCursor, onCounts }: Hooks = {}) => {
    let pages = 0;
    const list = async (prefix: string, options: ListOptions = {}): Promise<ObjectPage> => {
      // Leaves out listings that check whether a cursor is usable, or how old an orphan is.
      const isPage = options.delimiter !== undefined && options.limit !== 1;
      if (options.delimiter !== undefined && options.limit === 1) onCursor?.();
      if (isPage && pages++ === pagesUntilDeath) throw new Killed();
      const page = await store.list(prefix, { ...options, limit: options.limit ?? LIMIT });
      if (isPage) {
        asked.push(prefix);
        listed.push(...page.prefixes);
      }
      return page;
    };
    return new FindOrphans(
      {
        search: kiln.orphanSearch,
        bucket: new OwnBucket(kiln.orphanSearch, store),
        removals: kiln.removals,
        partUploads: kiln.partUploads,
        objects: { list, abortStaleUploads: (options) => store.abortStaleUploads(options) },
        onFound: () => undefined,
        onObstacle: (_obstacle, { idsSeen }) => onCounts?.(idsSeen),
        isStopping: () => false,
      },
      {
        ...ORPHAN_SEARCH,
        graceSeconds: 0,
        pauseSeconds: 0,
        ...(onCounts && { orphansFloor: 0, orphansPercentMax: 0 }),
      },
    );
  };
  const free = () => kiln.sql(`update orphan_searches set lease_expires_at = '-infinity'`);
  const found = async () =>
    (await kiln.sql<{ file_id: string }>('select file_id from object_removals order by file_id')).map(
      ({ file_id: id }) => id,
    );

  it('continues at the page where a process died, renews its lease with each page, and finds every orphan once', async () => {
    const tenants = [uuidv7(), uuidv7(), uuidv7()].toSorted();
    const ids = tenants.map(() => Array.from({ length: 3 }, () => idOfAge(48)).toSorted());
    for (const [at, tenantId] of tenants.entries()) for (const id of ids[at] ?? []) await put(tenantId, id);
    [listed, asked] = [[], []];
    const leases: string[] = [];
    for (let deaths = 0; ; deaths++) {
      const end = await searcher(3)
        .round()
        .catch((error: unknown) => error);
      const [lease] = await kiln.sql<{ until: string }>('select lease_expires_at::text as until from orphan_searches');
      leases.push(lease?.until ?? '');
      if (end === true) break;
      expect(end).toBeInstanceOf(Killed);
      expect(deaths).toBeLessThan(20);
      await free();
    }
    expect(await found()).toStrictEqual(ids.flat().toSorted());
    expect(new Set(leases).size).toBe(leases.length);
    // Each id was listed once: no tenant was listed again from its first id.
    const files = listed.filter((prefix) => prefix.split('/').length === 3);
    expect(files.toSorted()).toStrictEqual(
      tenants.flatMap((tenantId, at) => (ids[at] ?? []).map((id) => `${tenantId}/${id}/`)).toSorted(),
    );
  });

  it('does not list the ids of earlier passes again', async () => {
    const tenantId = uuidv7();
    for (let count = 0; count < 4 * LIMIT; count++) await put(tenantId, idOfAge(48));
    await searcher().round();
    [listed, asked] = [[], []];
    const id = idOfAge(0);
    await put(tenantId, id);
    await searcher().round();
    expect(listed.filter((prefix) => prefix.startsWith(`${tenantId}/0`))).toStrictEqual([`${tenantId}/${id}/`]);
    expect(asked.filter((prefix) => prefix.startsWith(tenantId)).length).toBeLessThanOrEqual(2);
  });

  it.each(['unavailable', 'invalid'] as const)(
    'counts each id once when its cursor is not accepted after a death: %s',
    async (code) => {
      await kiln.sql(`update orphan_searches set seen_until = '-infinity', pass_until = null`);
      await new OwnBucket(kiln.orphanSearch, store).update();
      await free();
      [listed, asked] = [[], []];
      // Runs until a page of ids has been listed, and its place kept.
      const prefixOf = async () =>
        (await kiln.sql<{ ids_prefix: string | null }>('select ids_prefix from orphan_searches'))[0];
      const isInTenant = async () => (await prefixOf())?.ids_prefix !== null;
      for (let pages = 2; !(await isInTenant()); pages++) {
        await expect(searcher(pages).round()).rejects.toThrow(Killed);
        await free();
      }
      const counts: number[] = [];
      const onCounts = (idsSeen: number) => void counts.push(idsSeen);
      const onCursor = () => {
        throw new StorageError(code, 'the cursor');
      };
      const failing = searcher(Infinity, { onCursor, onCounts });
      // A store that does not answer says nothing about the cursor.
      if (code === 'unavailable') {
        await expect(failing.round()).rejects.toThrow(StorageError);
        expect(await isInTenant()).toBe(true);
        await free();
      }
      await (code === 'unavailable' ? searcher(Infinity, { onCounts }) : failing).round();
      const ids = listed.filter((prefix) => prefix.split('/').length === 3);
      expect(counts).toStrictEqual([new Set(ids).size]);
    },
  );
});
