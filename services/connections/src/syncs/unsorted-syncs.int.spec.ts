// Real: Postgres, the engine of syncs, the S3 SDK. Faked: a store that lists keys in no order, as Storj does.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { connectionTo, pagesInOrder, s3Shape, startScriptedStore, type ScriptedStore } from '../test/scripted-store.js';
import { newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const PAGES = [['z.txt', 'docs/b.txt', 'm.txt'], ['a.txt', 'docs/a.txt'], ['n.txt']];
const PATHS = ['a.txt', 'docs/', 'docs/a.txt', 'docs/b.txt', 'm.txt', 'n.txt', 'z.txt'];

describe('a store that lists keys in no order', () => {
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
    connectionId = await kiln.connect(tenantId, { ...connectionTo(s3Shape, store.url), listing_order: 'unsorted' });
    store.answer = pagesInOrder(s3Shape, PAGES);
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
  const failed = async () => (await kiln.sync(tenantId, connectionId)).row?.error_code;

  it('is synced with listing_order unsorted, in several claims, and what it no longer lists is removed', async () => {
    kiln.limits.pagesPerClaim = 1;
    await kiln.begin(tenantId, connectionId);
    const claim = async () => kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal);
    expect([await claim(), await claim(), await claim()]).toStrictEqual(['yielded', 'yielded', 'completed']);
    expect(await kiln.paths(connectionId)).toStrictEqual(PATHS);
    Object.assign(kiln.limits, newLimits());
    store.answer = pagesInOrder(s3Shape, [['z.txt', 'a.txt'], ['docs/b.txt']]);
    const { row } = await kiln.sync(tenantId, connectionId);
    expect([row?.files_added, row?.files_deleted]).toStrictEqual([0, 3]);
    const preview = await kiln.preview.execute(
      { connection_id: encodeId('connection', connectionId) },
      contextOf(tenantId),
    );
    expect(preview).toMatchObject({ new_files: 0, deleted_files: 0, complete: true });
  });

  it('removes nothing when it repeats a page, or a key in another one', async () => {
    await kiln.sync(tenantId, connectionId);
    const [first = [], second = []] = PAGES;
    store.answer = pagesInOrder(s3Shape, [first, second, first]);
    expect(await failed()).toBe('listing_incomplete');
    store.answer = pagesInOrder(s3Shape, [first, ['new.txt', 'm.txt'], second]);
    expect(await failed()).toBe('listing_incomplete');
    expect(await kiln.paths(connectionId)).toStrictEqual(PATHS);
  });

  it('may list an upload that was committed during the sync', async () => {
    const upload = { connection_id: encodeId('connection', connectionId), node_id: encodeId('node', uuidv7()) };
    kiln.access.onPage = async (keys) => {
      if (!keys.includes('z.txt')) return;
      store.answer = (response) => void response.writeHead(200, { etag: 'e', 'content-length': '4' }).end('text');
      const { node_id } = await kiln.uploadNode.init({ ...upload, path: 'n.txt' }, contextOf(tenantId));
      await kiln.uploadNode.commit({ node_id }, contextOf(tenantId));
      store.answer = pagesInOrder(s3Shape, PAGES);
    };
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('completed');
    expect(await kiln.paths(connectionId)).toStrictEqual(PATHS);
  });

  it('fails as sorted, which is the default, and PATCH changes that', async () => {
    const update = (listing_order: 'sorted' | 'unsorted') =>
      kiln.check.update(
        { id: encodeId('connection', connectionId), org_id: kiln.organizationId, listing_order },
        contextOf(tenantId),
      );
    expect((await update('sorted')).listing_order).toBe('sorted');
    expect(await failed()).toBe('listing_incomplete');
    expect((await update('unsorted')).listing_order).toBe('unsorted');
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('completed');
    const { id } = await kiln.create(tenantId, connectionTo(s3Shape, store.url));
    expect((await kiln.manage.get({ id }, contextOf(tenantId))).listing_order).toBe('sorted');
  });
});
