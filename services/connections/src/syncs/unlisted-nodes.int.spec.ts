// Real: Postgres, the engine of syncs, the S3 SDK. Faked: the store.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { connectionTo, pagesInOrder, s3Shape, startScriptedStore, type ScriptedStore } from '../test/scripted-store.js';
import { newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const PAGES = [['a/1.txt', 'a/2.txt'], ['b.txt', 'c/1.txt'], ['d.txt']];

describe('a listing in the order of paths', () => {
  let kiln: SyncsHarness;
  let store: ScriptedStore;
  let tenantId: string;
  let connectionId: string;
  beforeAll(async () => {
    store = await startScriptedStore();
    kiln = await startSyncs();
  });
  beforeEach(async () => {
    tenantId = uuidv7();
    connectionId = await kiln.connect(tenantId, connectionTo(s3Shape, store.url));
    list(PAGES);
  });
  afterEach(async () => {
    Object.assign(kiln.limits, newLimits());
    kiln.access.onPage = () => undefined;
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
  });
  afterAll(async () => {
    await kiln.close();
    await store.close();
  });

  const list = (pages: string[][]) => (store.answer = pagesInOrder(s3Shape, pages));
  const paths = () => kiln.paths(connectionId);
  const claim = async () => kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal);
  const sync = async (force = false) => {
    const { outcome, row } = await kiln.sync(tenantId, connectionId, force);
    return [outcome, row?.files_added, row?.files_updated, row?.files_deleted];
  };
  /** The transaction that last wrote each node, its id, and whether it is marked. */
  const rows = () =>
    kiln.sql<{ path: string; id: string; xmin: string; marked: boolean }>(
      `select path, id, xmin::text, unlisted_since is not null as marked from nodes where connection_id = $1 order by path`,
      [connectionId],
    );
  const marked = async () => (await rows()).filter((row) => row.marked).map(({ path }) => path);
  const addNodes = (prefix: string, count: number) =>
    kiln.sql(
      `insert into nodes (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, seen_at)
       select $1, $2, gen_random_uuid(), $2, true, s::text, $3 || s, 1, now() - interval '1 day' from generate_series(1, $4::int) s`,
      [tenantId, connectionId, prefix, count],
    );

  it('writes no node that has not changed', async () => {
    await sync();
    const before = await rows();
    expect(await sync()).toStrictEqual(['completed', 0, 0, 0]);
    expect(await rows()).toStrictEqual(before);
    list([['a/1.txt', 'a/2.txt'], ['b.txt', 'c/1.txt', 'c/2.txt'], ['d.txt']]);
    expect(await sync()).toStrictEqual(['completed', 1, 0, 0]);
    const after = await rows();
    expect(after.filter(({ path }) => path !== 'c/2.txt')).toStrictEqual(before);
  });

  it('finds changed objects, and rules that changed', async () => {
    await sync();
    await kiln.sql(`update nodes set etag = 'other' where connection_id = $1 and path = 'b.txt'`, [connectionId]);
    expect(await sync()).toStrictEqual(['completed', 0, 1, 0]);
    await kiln.sql(`update connections set rules = '{"exclude": ["c/*"]}' where id = $1`, [connectionId]);
    const { row } = await kiln.sync(tenantId, connectionId);
    const excluded = await kiln.sql(`select path from nodes where connection_id = $1 and excluded_by is not null`, [
      connectionId,
    ]);
    expect([row?.files_excluded, excluded]).toStrictEqual([1, [{ path: 'c/1.txt' }]]);
    expect((await kiln.sync(tenantId, connectionId)).row?.files_excluded).toBe(1);
  });

  it('removes what it does not contain, at the beginning, in between and at the end, with folders that are empty', async () => {
    list([
      ['0.txt', 'a/1.txt', 'a/2.txt'],
      ['b.txt', 'c/1.txt', 'c/d/2.txt'],
      ['d.txt', 'x/y/z.txt'],
    ]);
    await sync();
    list([['a/1.txt'], [], ['c/1.txt', 'd.txt']]);
    expect(await sync()).toStrictEqual(['completed', 0, 0, 5]);
    expect(await paths()).toStrictEqual(['a/', 'a/1.txt', 'c/', 'c/1.txt', 'd.txt']);
  });

  it('removes nothing before it is complete, also across claims', async () => {
    await sync();
    list([['b.txt'], ['c/1.txt'], ['d.txt']]);
    kiln.limits.pagesPerClaim = 1;
    await kiln.begin(tenantId, connectionId);
    expect([await claim(), await claim()]).toStrictEqual(['yielded', 'yielded']);
    expect([(await paths()).length, await marked()]).toStrictEqual([7, ['a/', 'a/1.txt', 'a/2.txt']]);
    expect(await claim()).toBe('completed');
    expect(await paths()).toStrictEqual(['b.txt', 'c/', 'c/1.txt', 'd.txt']);
  });

  it('keeps nodes that an earlier sync has marked without completing, if it contains them', async () => {
    await sync();
    list([['d.txt'], ['e.txt']]);
    kiln.limits.pagesPerClaim = 1;
    await kiln.begin(tenantId, connectionId);
    await claim();
    await kiln.syncs.cancel(tenantId, connectionId);
    expect((await marked()).length).toBe(6);
    Object.assign(kiln.limits, newLimits());
    list([['a/1.txt', 'a/2.txt'], ['c/1.txt'], ['d.txt']]);
    expect(await sync()).toStrictEqual(['completed', 0, 0, 1]);
    expect([await paths(), await marked()]).toStrictEqual([['a/', 'a/1.txt', 'a/2.txt', 'c/', 'c/1.txt', 'd.txt'], []]);
  });

  it('keeps an object that appears before its page is repeated, because the first commit was lost', async () => {
    await sync();
    list([['a/1.txt', 'd.txt']]);
    const commit = kiln.pages.commit.bind(kiln.pages);
    kiln.pages.commit = () => Promise.reject(new Error('the connection was lost'));
    await kiln.begin(tenantId, connectionId);
    expect(await claim()).toBe('postponed');
    kiln.pages.commit = commit;
    expect(await marked()).toStrictEqual(['a/2.txt', 'b.txt', 'c/', 'c/1.txt']);
    list([['a/1.txt', 'b.txt', 'd.txt']]);
    await kiln.leasesEnd();
    expect(await claim()).toBe('completed');
    expect(await paths()).toStrictEqual(['a/', 'a/1.txt', 'b.txt', 'd.txt']);
  });

  it('keeps a folder whose first object cannot be stored, and begins the range of the next page', async () => {
    list([['a/../x', 'a/1.txt']]);
    await sync();
    const before = await rows();
    list([['a/../x'], ['a/1.txt']]);
    expect(await sync()).toStrictEqual(['completed', 0, 0, 0]);
    expect((await rows()).map(({ id, marked: isMarked }) => [id, isMarked])).toStrictEqual(
      before.map(({ id }) => [id, false]),
    );
  });

  it('finds a changed object after more nodes that are gone than one statement checks', async () => {
    await sync();
    await addNodes('a/3', 25_000);
    await kiln.sql(`update nodes set etag = 'other' where connection_id = $1 and path in ('a/1.txt', 'b.txt')`, [
      connectionId,
    ]);
    list([['a/1.txt', 'b.txt', 'c/1.txt'], ['d.txt']]);
    expect(await sync()).toStrictEqual(['failed', 0, 2, 0]);
    expect(await sync(true)).toStrictEqual(['completed', 0, 0, 25_001]);
    expect(await paths()).toStrictEqual(['a/', 'a/1.txt', 'b.txt', 'c/', 'c/1.txt', 'd.txt']);
  });

  it('of an empty bucket removes all nodes in batches, with force', async () => {
    await addNodes('n', 25_000);
    list([[]]);
    const { row } = await kiln.sync(tenantId, connectionId);
    expect([row?.error_code, (await paths()).length]).toStrictEqual(['too_many_deletions', 25_000]);
    expect(await sync(true)).toStrictEqual(['completed', 0, 0, 25_000]);
  });

  it.each(['sorted', 'unsorted'])(
    'adds a folder again that a caller deletes between two of its pages (%s)',
    async (order) => {
      await kiln.sql('update connections set listing_order = $2 where id = $1', [connectionId, order]);
      list([['a/b/1.txt'], ['a/b/2.txt', 'c.txt']]);
      await sync();
      kiln.access.onPage = async (keys) => {
        if (!keys.includes('c.txt')) return;
        const [folder] = await kiln.sql<{ id: string }>(
          `select id from nodes where connection_id = $1 and path = 'a/'`,
          [connectionId],
        );
        await kiln.manageNodes.remove({ id: encodeId('node', folder?.id ?? '') }, contextOf(tenantId));
        expect(await paths()).toStrictEqual(['c.txt']);
      };
      expect(await sync()).toStrictEqual(['completed', 1, 0, 0]);
      expect(await paths()).toStrictEqual(['a/', 'a/b/', 'a/b/2.txt', 'c.txt']);
      kiln.access.onPage = () => undefined;
      await sync();
      expect(await paths()).toStrictEqual(['a/', 'a/b/', 'a/b/1.txt', 'a/b/2.txt', 'c.txt']);
    },
  );

  it('is begun again by a worker of release 0.2.0, after which nodes are marked as seen until the sync ends', async () => {
    await sync();
    const before = await rows();
    list([['a/1.txt'], ['b.txt'], ['c/1.txt', 'd.txt']]);
    kiln.limits.pagesPerClaim = 1;
    const { id } = await kiln.begin(tenantId, connectionId);
    expect(await claim()).toBe('yielded');
    // The comparisons of that release: of an API process that starts a sync, and of a worker at the beginning of a claim.
    const [isContinued] = await kiln.sql(
      `select s.id from syncs s join connections c on c.id = s.connection_id where s.id = $1 and s.connection_version = c.version`,
      [id],
    );
    const begunAgain = await kiln.sql(
      `update syncs s set connection_version = c.version, position = null, next_cursor = null, listed = false, started_at = now(),
         nodes_before = 7, nodes_added = 0, nodes_listed = 0, synced_count = 0, skipped = 0, files_excluded = 0, empty_pages = 0
       from connections c where s.id = $1 and c.id = s.connection_id and c.version <> s.connection_version returning s.id`,
      [id],
    );
    expect([isContinued, begunAgain]).toStrictEqual([undefined, [{ id }]]);
    expect([await claim(), await claim(), await claim()]).toStrictEqual(['yielded', 'yielded', 'completed']);
    const after = await rows();
    expect(after.map(({ path }) => path)).toStrictEqual(['a/', 'a/1.txt', 'b.txt', 'c/', 'c/1.txt', 'd.txt']);
    expect(
      after.filter(({ path, xmin }) => before.some((row) => row.path === path && row.xmin === xmin)),
    ).toStrictEqual([]);
  });
});
