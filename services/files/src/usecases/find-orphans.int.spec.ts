// Real: Postgres, a bucket for each describe. Faked: the passing of time, by a short grace, and by ids that say they are old.
import { sourceKey, uuidOf } from '@kiln/contracts';
import type { ListOptions, ObjectStore } from '@kiln/storage';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { formatMarker, MARKER_KEY } from '../domain/bucket-marker.js';
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

/** `graceSeconds` by ids as it is in production; by the time of the bytes, none. */
const searcherOf = (
  { orphanSearch: search, ownBucket: bucket, removals, objects: own }: FilesHarness,
  { objects = own, graceSeconds = 0, onObstacle = () => undefined }: SearcherOptions,
) =>
  new FindOrphans(
    { search, bucket, removals, objects, onFound: () => undefined, onObstacle, isStopping: () => false },
    { ...ORPHAN_SEARCH, graceSeconds, pauseSeconds: 0 },
  );

describe('the search for orphaned objects', () => {
  let kiln: FilesHarness;
  before(async () => {
    kiln = await startFiles({ bucket: `orphans-${uuidv7()}` });
    assert.equal(await kiln.ownBucket.obstacle(), null);
  });
  after(() => kiln.close());

  const put = (tenantId: string, fileId: string, name = 'source') => putOld(kiln, tenantId, fileId, name);
  const keysOf = (tenantId: string) => fileIdsOf(kiln, tenantId);
  const searcher = (objects?: Pick<ObjectStore, 'list' | 'abortStaleUploads'>, graceSeconds = 0) =>
    searcherOf(kiln, { objects, graceSeconds });
  const startOver = async () => {
    await kiln.sql(`update orphan_search set seen_until = '-infinity', pass_until = null, after_tenant = '',
              ids_seen = 0, leased_until = '-infinity', next_pass_at = now()`);
    await kiln.ownBucket.update();
  };
  const removeDue = async () => {
    while (await kiln.removeObjects.round());
  };

  it('removes what no file owns and leaves what one owns, also one of a deleted space', async () => {
    await startOver();
    const context = contextOf(uuidv7());
    const { tenantId } = context;
    const [first, second] = [idOfAge(48), idOfAge(47)];
    await put(tenantId, first);
    await put(tenantId, second, 'job/1/markdown.md');
    const [file, hidden] = [storedFile(), storedFile({ space: 'gone' })];
    for (const input of [file, hidden]) {
      await kiln.createFile.execute(input, context);
      await put(tenantId, uuidOf('file', input.file_id));
    }
    await kiln.deleteSpace.execute({ name: 'gone', cascade: true }, context);
    assert.equal(await searcher().round(), true);
    await removeDue();
    const kept = [file, hidden].map(({ file_id: id }) => uuidOf('file', id)).toSorted();
    assert.deepEqual(await keysOf(tenantId), kept);
  });

  it('touches neither a young id nor young bytes of an old one', async () => {
    await startOver();
    const tenantId = uuidv7();
    const [young, old] = [idOfAge(1), idOfAge(48)];
    await put(tenantId, young);
    await put(tenantId, old);
    assert.equal(await searcher(undefined, 12 * 3_600).round(), true);
    await removeDue();
    assert.deepEqual(await keysOf(tenantId), [old, young].toSorted());
    const rows = await kiln.sql<{ file_id: string; later: boolean }>(
      `select file_id, next_attempt_at > now() + interval '11 h' as later from object_removals where tenant_id = $1`,
      [tenantId],
    );
    assert.deepEqual(rows, [{ file_id: old, later: true }]);
  });

  it('lists of each tenant only the ids since the last pass', async () => {
    await startOver();
    const tenantId = uuidv7();
    await put(tenantId, idOfAge(48));
    await searcher().round();
    const asked: ListOptions[] = [];
    await searcher({
      abortStaleUploads: (options) => kiln.objects.abortStaleUploads(options),
      list: (prefix: string, options: ListOptions = {}) => {
        if (prefix === `${tenantId}/`) asked.push(options);
        return kiln.objects.list(prefix, options);
      },
    }).round();
    assert.equal(asked.length, 1);
    assert.ok((asked[0]?.startAfter ?? '') > sourceKey(tenantId, idOfAge(1)), asked[0]?.startAfter);
  });

  it('is done by one process at a time, and goes on where a dead one stopped', async () => {
    await startOver();
    const dead = await kiln.orphanSearch.claim(600, 0);
    assert.ok(dead);
    assert.equal(await searcher().round(), false, 'leased');
    const [done, open] = [uuidv7(), uuidv7()].toSorted() as [string, string];
    await put(done, idOfAge(48));
    await put(open, idOfAge(48));
    await kiln.orphanSearch.advance(dead, done, 1, 600);
    await kiln.sql(`update orphan_search set leased_until = '-infinity'`);
    assert.equal(await searcher().round(), true);
    await removeDue();
    assert.deepEqual([(await keysOf(done)).length, (await keysOf(open)).length], [1, 0]);
    assert.equal(await kiln.orphanSearch.advance(dead, open, 1, 600), false, 'the dead one has lost it');
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
  after(() => Promise.all(started.map((kiln) => kiln.close())));

  const idsOf = (count: number) => Array.from({ length: count }, () => idOfAge(48)).toSorted();
  const putAll = (kiln: FilesHarness, tenantId: string, ids: string[]) =>
    Promise.all(ids.map((id) => putOld(kiln, tenantId, id)));
  /** What a pass comes to: why it has removed nothing, or null; and whether it gave up stale uploads. */
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
    assert.deepEqual([ended, hasAborted], [obstacle === null, obstacle === null]);
    assert.equal(await kiln.orphanSearch.obstacle(), obstacle);
    return obstacle;
  };

  it('from a bucket of another installation', async () => {
    const bucket = newBucket();
    const [owner, second] = [await start(bucket), await start(bucket)];
    assert.equal(await owner.ownBucket.obstacle(), null);
    const tenantId = uuidv7();
    const ids = idsOf(3);
    await putAll(owner, tenantId, ids);
    assert.equal(await search(second), 'foreign_bucket');
    assert.deepEqual(await fileIdsOf(owner, tenantId), ids);
    assert.equal(await search(owner), null);
    assert.deepEqual(await fileIdsOf(owner, tenantId), []);
  });

  it('from a bucket that holds objects and no marker, or a marker that can not be read', async () => {
    const kiln = await start(newBucket());
    const tenantId = uuidv7();
    const ids = idsOf(3);
    await putAll(kiln, tenantId, ids);
    assert.equal(await search(kiln), 'unmarked_bucket');
    assert.equal(await kiln.objects.head(MARKER_KEY), null);
    await kiln.objects.put(MARKER_KEY, '{"installation_id":', { contentType: 'application/json' });
    assert.equal(await search(kiln), 'foreign_bucket');
    assert.deepEqual(await fileIdsOf(kiln, tenantId), ids);
    const marker = formatMarker(await kiln.orphanSearch.marker());
    await kiln.objects.put(MARKER_KEY, marker, { contentType: 'application/json' });
    assert.equal(await search(kiln), null);
    assert.deepEqual(await fileIdsOf(kiln, tenantId), []);
  });

  it('for a database that was restored from before the last search', async () => {
    const kiln = await start(newBucket());
    await kiln.ownBucket.obstacle();
    assert.equal(await search(kiln), null);
    const backup = await kiln.orphanSearch.marker();
    await kiln.sql('select pg_sleep(0.01)');
    assert.equal(await search(kiln), null);
    const tenantId = uuidv7();
    await putAll(kiln, tenantId, idsOf(3));
    await kiln.sql('update orphan_search set seen_until = $1', [backup.searchedUntil]);
    assert.equal(await search(kiln), 'older_database');
    assert.equal((await fileIdsOf(kiln, tenantId)).length, 3);
  });

  it('when more than a few percent of what it has seen are orphans, and tries all of them again later', async () => {
    const kiln = await start(newBucket());
    await kiln.ownBucket.obstacle();
    const context = contextOf(uuidv7());
    const { tenantId } = context;
    const lost = idsOf(ORPHAN_SEARCH.orphansFloor + 1);
    await putAll(kiln, tenantId, lost);
    assert.equal(await search(kiln), 'too_many_orphans');
    assert.equal(await search(kiln), 'too_many_orphans');
    assert.deepEqual(await fileIdsOf(kiln, tenantId), lost);
    assert.deepEqual(await kiln.sql('select * from orphan_candidates'), []);
    // Among enough objects that have a file they are few.
    const known = idsOf(lost.length * 20);
    await kiln.sql(
      `insert into files (tenant_id, id, space, status, filename) select $1, unnest($2::uuid[]), 'default', 'uploaded', 'a.md'`,
      [tenantId, known],
    );
    await putAll(kiln, tenantId, known);
    assert.equal(await search(kiln), null);
    assert.deepEqual(await fileIdsOf(kiln, tenantId), known);
  });
});
