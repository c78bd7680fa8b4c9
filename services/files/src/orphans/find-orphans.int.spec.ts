// Real: Postgres, a bucket for each describe. Faked: the passing of time, by a short grace period, and by old ids.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey, uuidOf } from '@kiln/contracts';
import type { ListOptions, ObjectStore } from '@kiln/storage';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { formatMarker, MARKER_KEY } from './bucket-marker.domain.js';
import { FindOrphans, ORPHAN_SEARCH } from './find-orphans.usecase.js';

const HOUR_MS = 3_600_000;
const idOfAge = (hours: number) => uuidv7({ msecs: Date.now() - hours * HOUR_MS });

const putOld = (kiln: FilesHarness, tenantId: string, fileId: string, name = 'source') =>
  kiln.objects.put(`${tenantId}/${fileId}/${name}`, 'text', { contentType: 'text/plain' });
const fileIdsOf = async (kiln: FilesHarness, tenantId: string) =>
  (await kiln.objects.list(`${tenantId}/`)).objects
    .map(({ key }) => key.split('/')[1] ?? '')
    .toSorted((a, b) => a.localeCompare(b));

interface SearcherOptions {
  objects?: Pick<ObjectStore, 'list' | 'abortStaleUploads'> | undefined;
  graceSeconds?: number;
  onObstacle?: (obstacle: string) => void;
}

/** `graceSeconds` applies to ids, as in production, but not to the time of the bytes. */
const searcherOf = (
  { orphanSearch: search, ownBucket: bucket, removals, partUploads, objects: own }: FilesHarness,
  { objects = own, graceSeconds = 0, onObstacle = () => undefined }: SearcherOptions,
) =>
  new FindOrphans(
    { search, bucket, removals, partUploads, objects, onFound: () => undefined, onObstacle, isStopping: () => false },
    { ...ORPHAN_SEARCH, graceSeconds, pauseSeconds: 0 },
  );

describe('the search for orphaned objects', () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles({ bucket: `orphans-${uuidv7()}` });
    expect(await kiln.ownBucket.obstacle()).toBeNull();
  });
  afterAll(() => kiln.close());

  const put = (tenantId: string, fileId: string, name = 'source') => putOld(kiln, tenantId, fileId, name);
  const keysOf = (tenantId: string) => fileIdsOf(kiln, tenantId);
  const searcher = (objects?: Pick<ObjectStore, 'list' | 'abortStaleUploads'>, graceSeconds = 0) =>
    searcherOf(kiln, { objects, graceSeconds });
  const startOver = async () => {
    await kiln.sql(`update orphan_searches set seen_until = '-infinity', pass_until = null, after_tenant = '',
              tenants_cursor = null, ids_prefix = null, ids_cursor = null, ids_in_prefix = 0, ids_seen = 0, lease_expires_at = '-infinity', due_at = '-infinity'`);
    await kiln.ownBucket.update();
  };
  const removeDue = async () => {
    while (await kiln.removeObjects.round());
  };

  it('removes objects without a file, and keeps those of a file, even in a deleted space', async () => {
    await startOver();
    const context = contextOf(uuidv7());
    const { tenantId } = context;
    const [first, second] = [idOfAge(48), idOfAge(47)];
    await put(tenantId, first);
    await put(tenantId, second, 'job/1/markdown.md');
    const [file, hidden] = [storedFile(), storedFile({ space: 'gone' })];
    for (const input of [file, hidden]) {
      await kiln.registerFiles.stored(input, context);
      await put(tenantId, uuidOf('file', input.file_id));
    }
    await kiln.deleteSpace.execute({ name: 'gone', cascade: true }, context);
    expect(await searcher().round()).toBe(true);
    await removeDue();
    const kept = [file, hidden].map(({ file_id: id }) => uuidOf('file', id)).toSorted();
    expect(await keysOf(tenantId)).toStrictEqual(kept);
  });

  it('keeps objects whose id or bytes are younger than the grace period', async () => {
    await startOver();
    const tenantId = uuidv7();
    const [young, old] = [idOfAge(1), idOfAge(48)];
    await put(tenantId, young);
    await put(tenantId, old);
    expect(await searcher(undefined, 12 * 3_600).round()).toBe(true);
    await removeDue();
    expect(await keysOf(tenantId)).toStrictEqual([old, young].toSorted());
    const rows = await kiln.sql<{ file_id: string; later: boolean }>(
      `select file_id, due_at > now() + interval '11 h' as later from object_removals where tenant_id = $1`,
      [tenantId],
    );
    expect(rows).toStrictEqual([{ file_id: old, later: true }]);
  });

  it('lists only the ids of each tenant since the last pass', async () => {
    await startOver();
    const tenantId = uuidv7();
    await put(tenantId, idOfAge(48));
    await searcher().round();
    const asked: ListOptions[] = [];
    await searcher({
      abortStaleUploads: (options) => kiln.objects.abortStaleUploads(options),
      list: (prefix: string, options: ListOptions = {}) => {
        if (prefix.startsWith(`${tenantId}/`)) asked.push(options);
        return kiln.objects.list(prefix, options);
      },
    }).round();
    expect([1, 2]).toContain(asked.length);
    const sinceLastPass = sourceKey(tenantId, idOfAge(1));
    const keys = [sinceLastPass, asked[0]?.startAfter ?? ''];
    expect(keys.toSorted()).toStrictEqual(keys);
    expect(asked[0]?.startAfter).not.toBe(sinceLastPass);
  });

  it('runs in one process at a time, and resumes where a process died', async () => {
    await startOver();
    const dead = await kiln.orphanSearch.claim(600, 0);
    if (!dead) throw new Error('no dead');
    // The search is leased.
    expect(await searcher().round()).toBe(false);
    const [done, open] = [uuidv7(), uuidv7()].toSorted() as [string, string];
    await put(done, idOfAge(48));
    await put(open, idOfAge(48));
    await kiln.orphanSearch.advance(dead, { afterTenant: done, tenantsCursor: null }, 1, 600);
    await kiln.sql(`update orphan_searches set lease_expires_at = '-infinity'`);
    expect(await searcher().round()).toBe(true);
    await removeDue();
    expect([(await keysOf(done)).length, (await keysOf(open)).length]).toStrictEqual([1, 0]);
    // The dead process has lost its lease.
    expect(await kiln.orphanSearch.advance(dead, { afterTenant: open, tenantsCursor: null }, 1, 600)).toBe(false);
  });
});

describe('the search for orphaned objects, while it aborts stale uploads,', () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles({ bucket: `orphans-${uuidv7()}` });
    expect(await kiln.ownBucket.obstacle()).toBeNull();
  });
  afterAll(() => kiln.close());

  const secondsLeft = async () => {
    const text = 'select extract(epoch from lease_expires_at - now())::float8 as seconds from orphan_searches';
    return (await kiln.sql<{ seconds: number }>(text))[0]?.seconds;
  };
  /** Aborts two pages of uploads, and does `between` before the end of each. Returns the end of the pass, and the pages. */
  const abort = async (between: () => Promise<unknown>) => {
    let pages = 0;
    const objects: Pick<ObjectStore, 'list' | 'abortStaleUploads'> = {
      list: (prefix, options) => kiln.objects.list(prefix, options),
      abortStaleUploads: async ({ afterPage }) => {
        for (; pages < 2; pages++) {
          await between();
          if ((await afterPage?.()) === false) break;
        }
        return 0;
      },
    };
    return [await searcherOf(kiln, { objects }).round(), pages];
  };

  it('renews its lease with each page', async () => {
    const left: (number | undefined)[] = [];
    const result = await abort(async () => {
      left.push(await secondsLeft());
      await kiln.sql(`update orphan_searches set lease_expires_at = now() + interval '1 s'`);
    });
    expect(result).toStrictEqual([true, 2]);
    for (const seconds of left) expect(seconds).toBeGreaterThan(500);
  });

  it('stops when another process has begun, and does not end its pass', async () => {
    const result = await abort(async () => {
      await kiln.sql(`update orphan_searches set lease_expires_at = '-infinity'`);
      expect(await kiln.orphanSearch.claim(600, 0)).not.toBeNull();
    });
    expect(result).toStrictEqual([false, 0]);
    expect(await kiln.sql('select 1 as open from orphan_searches where pass_until is not null')).toHaveLength(1);
  });
});

describe('the search for orphaned objects removes nothing', () => {
  const started: FilesHarness[] = [];
  /** An installation with a database of its own. */
  const start = async (bucket: string) => {
    const kiln = await startFiles({ bucket });
    started.push(kiln);
    return kiln;
  };
  const newBucket = () => `orphans-${uuidv7()}`;
  afterAll(() => Promise.all(started.map((kiln) => kiln.close())));

  const idsOf = (count: number) => Array.from({ length: count }, () => idOfAge(48)).toSorted();
  const putAll = (kiln: FilesHarness, tenantId: string, ids: string[]) =>
    Promise.all(ids.map((id) => putOld(kiln, tenantId, id)));
  /** The result of a pass: why it has removed nothing, or null, and whether it aborted stale uploads. */
  const search = async (kiln: FilesHarness) => {
    const obstacles: string[] = [];
    let hasAborted = false;
    const { objects } = kiln;
    const watched = {
      list: (prefix: string, options?: ListOptions) => objects.list(prefix, options),
      abortStaleUploads: () => {
        hasAborted = true;
        return Promise.resolve(0);
      },
    };
    const ended = await searcherOf(kiln, { objects: watched, onObstacle: (one) => obstacles.push(one) }).round();
    while (await kiln.removeObjects.round());
    const [obstacle = null] = obstacles;
    expect([ended, hasAborted]).toStrictEqual([obstacle === null, obstacle === null]);
    expect(await kiln.orphanSearch.obstacle()).toBe(obstacle);
    return obstacle;
  };

  it('from a bucket of another installation', async () => {
    const bucket = newBucket();
    const [owner, second] = [await start(bucket), await start(bucket)];
    expect(await owner.ownBucket.obstacle()).toBeNull();
    const tenantId = uuidv7();
    const ids = idsOf(3);
    await putAll(owner, tenantId, ids);
    expect(await search(second)).toBe('foreign_bucket');
    expect(await fileIdsOf(owner, tenantId)).toStrictEqual(ids);
    expect(await search(owner)).toBeNull();
    expect(await fileIdsOf(owner, tenantId)).toStrictEqual([]);
  });

  it('from a bucket with objects and without a readable marker', async () => {
    const kiln = await start(newBucket());
    const tenantId = uuidv7();
    const ids = idsOf(3);
    await putAll(kiln, tenantId, ids);
    expect(await search(kiln)).toBe('unmarked_bucket');
    expect(await kiln.objects.head(MARKER_KEY)).toBeNull();
    await kiln.objects.put(MARKER_KEY, '{"installation_id":', { contentType: 'application/json' });
    expect(await search(kiln)).toBe('foreign_bucket');
    expect(await fileIdsOf(kiln, tenantId)).toStrictEqual(ids);
    const marker = formatMarker(await kiln.orphanSearch.marker());
    await kiln.objects.put(MARKER_KEY, marker, { contentType: 'application/json' });
    expect(await search(kiln)).toBeNull();
    expect(await fileIdsOf(kiln, tenantId)).toStrictEqual([]);
  });

  it('when the database was restored from a backup older than the last search', async () => {
    const kiln = await start(newBucket());
    await kiln.ownBucket.obstacle();
    expect(await search(kiln)).toBeNull();
    const backup = await kiln.orphanSearch.marker();
    await kiln.sql('select pg_sleep(0.01)');
    expect(await search(kiln)).toBeNull();
    const tenantId = uuidv7();
    await putAll(kiln, tenantId, idsOf(3));
    await kiln.sql('update orphan_searches set seen_until = $1', [backup.searchedUntil]);
    expect(await search(kiln)).toBe('older_database');
    expect(await fileIdsOf(kiln, tenantId)).toHaveLength(3);
  });

  it('when more than a few percent of the ids are orphans, and covers them again in the next pass', async () => {
    const kiln = await start(newBucket());
    await kiln.ownBucket.obstacle();
    const context = contextOf(uuidv7());
    const { tenantId } = context;
    const lost = idsOf(ORPHAN_SEARCH.orphansFloor + 1);
    await putAll(kiln, tenantId, lost);
    expect(await search(kiln)).toBe('too_many_orphans');
    expect(await search(kiln)).toBe('too_many_orphans');
    expect(await fileIdsOf(kiln, tenantId)).toStrictEqual(lost);
    expect(await kiln.sql('select * from orphan_candidates')).toStrictEqual([]);
    // The bucket has enough objects with a file, so the orphans are a small share.
    const known = idsOf(lost.length * 20);
    await kiln.sql(
      `insert into files (tenant_id, id, space_id, status, filename) select $1, unnest($2::uuid[]), $3, 'uploaded', 'a.md'`,
      [tenantId, known, await kiln.spaceId(tenantId, 'default')],
    );
    await putAll(kiln, tenantId, known);
    expect(await search(kiln)).toBeNull();
    expect(await fileIdsOf(kiln, tenantId)).toStrictEqual(known);
  });
});
