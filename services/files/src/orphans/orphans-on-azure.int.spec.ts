// Real: Postgres, and Azurite, whose listings begin at the first key, as those of Azure.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListOptions, ObjectPage, ObjectStore } from '@kiln/storage';
import { createAzureObjectStore } from '@kiln/storage/azure';
import { startAzurite, type Azurite } from '@kiln/storage/test-support';
import { v7 as uuidv7 } from 'uuid';
import { startFiles, type FilesHarness } from '../test/files-harness.js';
import { FindOrphans, ORPHAN_SEARCH } from './find-orphans.usecase.js';
import { OwnBucket } from './own-bucket.js';

const HOUR_MS = 3_600_000;
const idOfAge = (hours: number) => uuidv7({ msecs: Date.now() - hours * HOUR_MS });
const LIMIT = 2;

class Killed extends Error {}

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
  /** Lists small pages, and dies after so many. */
  const searcher = (pagesUntilDeath = Infinity) => {
    let pages = 0;
    const list = async (prefix: string, options: ListOptions = {}): Promise<ObjectPage> => {
      // Not those that look whether a cursor is usable, or how old an orphan is.
      const isPage = options.delimiter !== undefined && options.limit !== 1;
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
        objects: { list, abortStaleUploads: (options) => store.abortStaleUploads(options) },
        onFound: () => undefined,
        onObstacle: () => undefined,
        isStopping: () => false,
      },
      { ...ORPHAN_SEARCH, graceSeconds: 0, pauseSeconds: 0 },
    );
  };
  const free = () => kiln.sql(`update orphan_search set leased_until = '-infinity'`);
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
      const [lease] = await kiln.sql<{ until: string }>('select leased_until::text as until from orphan_search');
      leases.push(lease?.until ?? '');
      if (end === true) break;
      expect(end).toBeInstanceOf(Killed);
      expect(deaths).toBeLessThan(20);
      await free();
    }
    expect(await found()).toStrictEqual(ids.flat().toSorted());
    expect(new Set(leases).size).toBe(leases.length);
    // Each id was listed once: those of a tenant were not listed again from the first.
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
});
