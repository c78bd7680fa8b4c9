// Real: Postgres, the engine of syncs, the S3 SDK, the embedded object store for uploads. Faked: stores that throttle.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { request } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import {
  connectionTo,
  pagesInOrder,
  s3Shape,
  startScriptedStore,
  type Answer,
  type ScriptedStore,
} from '../test/scripted-store.js';
import { newBucket, newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const PAGES = [['a.txt', 'b.txt'], ['c.txt', 'd.txt'], ['e.txt']];
const BUCKET_FAILURES_MAX = 20;

describe('a sync', () => {
  let kiln: SyncsHarness;
  let store: ScriptedStore;
  let other: ScriptedStore;
  let tenantId: string;
  let connectionId: string;
  beforeAll(async () => {
    [store, other] = await Promise.all([startScriptedStore(), startScriptedStore()]);
    kiln = await startSyncs();
  });
  afterEach(async () => {
    Object.assign(kiln.limits, newLimits());
    kiln.access.onPage = () => undefined;
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
  });
  afterAll(async () => {
    await kiln.close();
    await store.close();
    await other.close();
  });

  async function connected(): Promise<void> {
    tenantId = uuidv7();
    connectionId = await kiln.connect(tenantId, connectionTo(s3Shape, store.url));
    store.asked.length = 0;
  }
  const claim = async () => kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal);
  const tokens = () => store.asked.map((url) => s3Shape.tokenOf(url));
  /** Answers the first page, and this to requests for others. */
  const afterFirst =
    (answer: Answer): Answer =>
    (response, message) => {
      const isFirst = s3Shape.tokenOf(new URL(message.url ?? '/', store.url)) === null;
      (isFirst ? pagesInOrder(s3Shape, PAGES) : answer)(response, message);
    };
  const throttle: Answer = (response) => void response.writeHead(503, { 'retry-after': '120' }).end();

  async function throttledSync(): Promise<void> {
    store.answer = afterFirst(throttle);
    const { id } = await kiln.begin(tenantId, connectionId);
    expect(await claim()).toBe('postponed');
    await kiln.sql('update syncs set bucket_failures = $2 where id = $1', [id, BUCKET_FAILURES_MAX - 1]);
    await kiln.leasesEnd();
    expect(await claim()).toBe('failed');
  }

  it('waits for the Retry-After of a store that throttles it', async () => {
    await connected();
    store.answer = afterFirst(throttle);
    const { id } = await kiln.begin(tenantId, connectionId);
    expect(await claim()).toBe('postponed');
    const [row] = await kiln.sql<{ waits: boolean }>(
      `select due_at > now() + interval '60 seconds' as waits from syncs where id = $1`,
      [id],
    );
    expect(row?.waits).toBe(true);
    await kiln.leasesEnd();
    store.answer = pagesInOrder(s3Shape, PAGES);
    expect(await claim()).toBe('completed');
    expect(await kiln.paths(connectionId)).toStrictEqual(PAGES.flat());
  });

  it('continues a sync that failed because the store throttled it, and removes what both did not list', async () => {
    await connected();
    store.answer = pagesInOrder(s3Shape, [['a.txt', 'b.txt', 'gone.txt']]);
    await kiln.sync(tenantId, connectionId);
    await throttledSync();
    store.answer = pagesInOrder(s3Shape, PAGES);
    store.asked.length = 0;
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    expect(tokens()).toStrictEqual(['1', '2']);
    const counts = [row?.synced_count, row?.files_added, row?.files_deleted];
    expect([outcome, ...counts]).toStrictEqual(['completed', 5, 3, 1]);
    expect(await kiln.paths(connectionId)).toStrictEqual(PAGES.flat());
    // A completed sync is not continued.
    store.asked.length = 0;
    await kiln.sync(tenantId, connectionId);
    expect(tokens()).toStrictEqual([null, '1', '2']);
  });

  it.each([
    ['was refused by the store', async () => void (await kiln.sync(tenantId, connectionId)), 400],
    ['ended more than a day ago', throttledSync, 503],
    ['used other credentials', throttledSync, 503],
  ])('begins at the first page after a sync that %s', async (reason, fail, status) => {
    await connected();
    store.answer = afterFirst((response) => void response.writeHead(status).end());
    await fail();
    if (reason.includes('day')) await kiln.sql(`update syncs set completed_at = completed_at - interval '25 hours'`);
    if (reason.includes('credentials')) await kiln.sql('update connections set version = version + 1');
    store.answer = pagesInOrder(s3Shape, PAGES);
    store.asked.length = 0;
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('completed');
    expect(tokens()).toStrictEqual([null, '1', '2']);
  });

  const changeTo = (url: string) => {
    const { credentials } = connectionTo(s3Shape, url);
    const id = encodeId('connection', connectionId);
    return kiln.check.update({ id, org_id: kiln.organizationId, credentials }, contextOf(tenantId));
  };

  it('begins again when the credentials lead to another store, and stores the nodes of that store only', async () => {
    await connected();
    kiln.limits.pagesPerClaim = 1;
    store.answer = pagesInOrder(s3Shape, PAGES);
    other.answer = pagesInOrder(s3Shape, [['1.txt', '2.txt'], ['3.txt']]);
    const { id } = await kiln.begin(tenantId, connectionId);
    expect(await claim()).toBe('yielded');
    await changeTo(other.url);
    other.asked.length = 0;
    expect([await claim(), await claim()]).toStrictEqual(['yielded', 'completed']);
    expect(other.asked.map((url) => s3Shape.tokenOf(url))).toStrictEqual([null, '1']);
    expect(await kiln.paths(connectionId)).toStrictEqual(['1.txt', '2.txt', '3.txt']);
    expect((await kiln.syncs.find(tenantId, id))?.synced_count).toBe(3);
  });

  it('does not fail, nor the connection, because credentials were refused that were replaced meanwhile', async () => {
    await connected();
    other.answer = pagesInOrder(s3Shape, PAGES);
    kiln.access.onPage = () => changeTo(other.url).then(() => undefined);
    store.answer = afterFirst((response) => void response.writeHead(403).end());
    await kiln.begin(tenantId, connectionId);
    expect(await claim()).toBe('yielded');
    expect((await kiln.connections.find(tenantId, connectionId))?.status).toBe('active');
    kiln.access.onPage = () => undefined;
    expect(await claim()).toBe('completed');
  });

  it('keeps the ETag of an upload that was committed after the page was listed, of a new and of a known node', async () => {
    tenantId = uuidv7();
    const { objects, put, connection } = await newBucket();
    connectionId = await kiln.connect(tenantId, connection);
    await put(['known.txt'], 'old bytes');
    await kiln.sync(tenantId, connectionId);
    await put(['new.txt'], 'old bytes');
    const upload = async (path: string) => {
      const input = { connection_id: encodeId('connection', connectionId), path, node_id: encodeId('node', uuidv7()) };
      const { node_id, upload_url, upload_headers } = await kiln.uploadNode.init(input, contextOf(tenantId));
      await request(upload_url, { method: 'PUT', headers: upload_headers, body: 'the new bytes' });
      return kiln.uploadNode.commit({ node_id }, contextOf(tenantId));
    };
    const committed: { etag: string }[] = [];
    kiln.access.onPage = async () => {
      for (const path of ['known.txt', 'new.txt']) committed.push(await upload(path));
    };
    const { row } = await kiln.sync(tenantId, connectionId);
    const nodes = await kiln.sql<{ etag: string; size_bytes: number }>(
      'select etag, size_bytes from visible_nodes where connection_id = $1 order by path',
      [connectionId],
    );
    expect(nodes.map(({ etag }) => etag)).toStrictEqual(committed.map(({ etag }) => etag));
    expect(nodes.map(({ size_bytes }) => size_bytes)).toStrictEqual([13, 13]);
    expect(row?.files_updated).toBe(0);
    kiln.access.onPage = () => undefined;
    expect((await kiln.sync(tenantId, connectionId)).row?.files_updated).toBe(0);
    objects.close();
  });
});
