// Real: Postgres, and the embedded object store as the bucket of a customer. The queue is in this process.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { BucketError } from '../external-buckets/domain/bucket-error.js';
import { startNotifications, type NotificationsHarness } from '../test/notifications-harness.js';
import { contextOf } from '../test/connections-harness.js';

describe('notifications of a bucket', () => {
  let kiln: NotificationsHarness;
  let tenantId: string;
  beforeAll(async () => {
    kiln = await startNotifications();
  });
  beforeEach(async () => {
    tenantId = uuidv7();
    await kiln.sql('delete from outbox');
    await kiln.sql('delete from queue_polls');
  });
  afterAll(() => kiln.close());

  const idsOf = async (connectionId: string) =>
    new Map([...(await kiln.files(connectionId))].map(([path, { id }]) => [path, encodeId('node', id)]));

  it('add, change and remove nodes with their folders, without a listing of the bucket', async () => {
    const { put, objects, notify, queue, connectionId } = await kiln.connectQueue(tenantId);
    await put(['a.txt', 'docs/b c+d.txt', 'not-notified.txt']);
    notify('a.txt', 'docs/b c+d.txt');
    expect(await kiln.poll()).toMatchObject({ outcome: 'received', messages: { applied: 1 } });
    expect(await kiln.paths(connectionId)).toStrictEqual(['a.txt', 'docs/', 'docs/b c+d.txt']);
    const before = await kiln.files(connectionId);
    await put(['a.txt'], 'other text');
    await objects.deleteMany(['docs/b c+d.txt']);
    notify('docs/b c+d.txt');
    notify('a.txt');
    await kiln.poll();
    const after = await kiln.files(connectionId);
    expect([...after.keys()]).toStrictEqual(['a.txt']);
    expect(after.get('a.txt')).toMatchObject({ id: before.get('a.txt')?.id, size_bytes: 10 });
    expect(queue.bodies).toStrictEqual([]);
  });

  it('find what a sync would find: it changes nothing afterwards', async () => {
    const { put, notify, connectionId } = await kiln.connectQueue(tenantId, { auto_process: true });
    await put(['a.txt', 'x/y/b.txt']);
    notify('x/y/b.txt', 'a.txt');
    await kiln.poll();
    const found = await kiln.files(connectionId);
    const { row } = await kiln.sync(tenantId, connectionId);
    expect(row).toMatchObject({
      status: 'completed',
      files_added: 0,
      files_updated: 0,
      files_deleted: 0,
      files_queued: 0,
    });
    expect(await kiln.files(connectionId)).toStrictEqual(found);
  });

  it('select new and changed files once, however often they are delivered', async () => {
    const fields = { auto_process: true, exclude: ['*.bin'] };
    const { put, notify, connectionId } = await kiln.connectQueue(tenantId, fields);
    await put(['a.txt', 'b.bin']);
    notify('a.txt', 'b.bin', 'a.txt');
    notify('a.txt');
    await kiln.poll();
    const node = (await idsOf(connectionId)).get('a.txt');
    expect((await kiln.happened('nodes.selected')).map(({ node_ids }) => node_ids)).toStrictEqual([[node]]);
    notify('a.txt');
    await kiln.poll();
    expect(await kiln.happened('nodes.selected')).toStrictEqual([]);
    await put(['a.txt'], 'other text');
    notify('a.txt');
    await kiln.poll();
    expect((await kiln.happened('nodes.selected')).map(({ node_ids }) => node_ids)).toStrictEqual([[node]]);
  });

  it('announce removed files by on_delete; an object that returns keeps its node if its file was kept', async () => {
    const deleting = await kiln.connectQueue(tenantId, { on_delete: 'delete' });
    await deleting.put(['a.txt', 'b.txt']);
    deleting.notify('a.txt', 'b.txt');
    await kiln.poll();
    const node = (await idsOf(deleting.connectionId)).get('a.txt');
    await deleting.objects.deleteMany(['a.txt']);
    deleting.notify('a.txt');
    await kiln.poll();
    expect(await kiln.happened('nodes.removed')).toStrictEqual([
      { connection_id: deleting.connection_id, node_ids: [node] },
    ]);
    await kiln.sql('delete from queue_polls');

    const keeping = await kiln.connectQueue(tenantId, { on_delete: 'keep' });
    await keeping.put(['a.txt']);
    keeping.notify('a.txt');
    await kiln.poll();
    const kept = await idsOf(keeping.connectionId);
    await keeping.objects.deleteMany(['a.txt']);
    keeping.notify('a.txt');
    await kiln.poll();
    expect(await kiln.paths(keeping.connectionId)).toStrictEqual([]);
    await keeping.put(['a.txt'], 'again');
    keeping.notify('a.txt');
    await kiln.poll();
    expect([await idsOf(keeping.connectionId), await kiln.happened('nodes.removed')]).toStrictEqual([kept, []]);
  });

  it('move nodes whose keys are named in different batches of one poll', async () => {
    const { put, objects, notify, connectionId } = await kiln.connectQueue(tenantId, { auto_process: true });
    const names = Array.from({ length: 15 }, (_, at) => `${at}.txt`);
    for (const name of names) {
      await put([name], `the bytes of ${name}`);
      notify(name);
    }
    await kiln.poll();
    const before = await idsOf(connectionId);
    expect(before.size).toBe(names.length);
    await kiln.sql('delete from outbox');
    await objects.deleteMany(names);
    for (const name of names) {
      await put([`moved/${name}`], `the bytes of ${name}`);
      notify(`moved/${name}`);
    }
    for (const name of names) notify(name);
    await kiln.poll();
    const moved = names.map((name) => [`moved/${name}`, before.get(name)] as const);
    expect(await idsOf(connectionId)).toStrictEqual(new Map(moved.toSorted(([a], [b]) => (a < b ? -1 : 1))));
    expect([await kiln.happened('nodes.removed'), await kiln.happened('nodes.selected')]).toStrictEqual([[], []]);
  });

  it('move a node when one batch names both keys', async () => {
    const { put, objects, notify, connectionId } = await kiln.connectQueue(tenantId, { auto_process: true });
    await put(['a.txt'], 'the same bytes');
    notify('a.txt');
    await kiln.poll();
    const before = await idsOf(connectionId);
    await kiln.sql('delete from outbox');
    await objects.deleteMany(['a.txt']);
    await put(['moved/b.txt'], 'the same bytes');
    notify('moved/b.txt');
    notify('a.txt');
    await kiln.poll();
    const node_id = before.get('a.txt');
    expect([...(await idsOf(connectionId))]).toStrictEqual([['moved/b.txt', node_id]]);
    const [moved] = await kiln.happened('nodes.moved');
    expect(moved).toMatchObject({ nodes: [{ node_id, path: 'moved/b.txt', name: 'b.txt' }] });
    expect([await kiln.happened('nodes.removed'), await kiln.happened('nodes.selected')]).toStrictEqual([[], []]);
  });

  it('that come late or out of order apply what the bucket has now', async () => {
    const { put, objects, notify, connectionId } = await kiln.connectQueue(tenantId);
    await put(['a.txt', 'b.txt'], 'first');
    await objects.deleteMany(['b.txt']);
    await put(['a.txt'], 'the second');
    for (const key of ['b.txt', 'a.txt', 'a.txt', 'b.txt']) notify(key);
    await kiln.poll();
    expect([...(await kiln.files(connectionId)).values()]).toMatchObject([{ path: 'a.txt', size_bytes: 10 }]);
  });

  it('that were applied, but not deleted from the queue, are applied again without effect', async () => {
    const { put, notify, queue, connectionId } = await kiln.connectQueue(tenantId, { auto_process: true });
    await put(['a.txt']);
    notify('a.txt');
    queue.deleteError = new BucketError('unreachable', 'The queue is away.', { retryable: true });
    expect(await kiln.poll()).toMatchObject({ outcome: 'failed' });
    expect([await kiln.paths(connectionId), queue.bodies.length]).toStrictEqual([['a.txt'], 1]);
    expect(await kiln.happened('nodes.selected')).toHaveLength(1);
    queue.deleteError = null;
    queue.showAgain();
    expect(await kiln.poll()).toMatchObject({ outcome: 'received' });
    expect([await kiln.happened('nodes.selected'), queue.bodies]).toStrictEqual([[], []]);
  });

  it('are ignored outside the prefix and for other buckets, and deleted', async () => {
    const { put, notify, queue, connectionId } = await kiln.connectQueue(tenantId, { prefix: 'docs/' });
    await put(['a.txt', 'docs/b.txt']);
    notify('a.txt');
    queue.send(JSON.stringify({ Records: [{ s3: { bucket: { name: 'other' }, object: { key: 'docs/b.txt' } } }] }));
    queue.send(JSON.stringify({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'other' }));
    queue.send('no notification');
    expect(await kiln.poll()).toMatchObject({ messages: { applied: 0, ignored: 3, malformed: 1 } });
    expect([await kiln.paths(connectionId), queue.bodies]).toStrictEqual([[], []]);
    notify('docs/b.txt');
    await kiln.poll();
    expect(await kiln.paths(connectionId)).toStrictEqual(['docs/b.txt']);
  });

  it('stay in the queue while the bucket cannot be asked; the connection says why', async () => {
    const { put, notify, queue, connectionId, connection_id } = await kiln.connectQueue(tenantId);
    await put(['a.txt']);
    notify('a.txt');
    const stateOf = async () => (await kiln.manage.get({ id: connection_id }, contextOf(tenantId))).notifications;
    expect(await stateOf()).toMatchObject({ status: 'active', error: null, last_received_at: null });
    await kiln.sql(`update connections set bucket = 'not-there' where id = $1`, [connectionId]);
    queue.send(JSON.stringify({ Records: [{ s3: { bucket: { name: 'not-there' }, object: { key: 'a.txt' } } }] }));
    // After so many failures the pause is minutes.
    await kiln.sql('update queue_polls set failures = 7');
    expect(await kiln.poll()).toMatchObject({ outcome: 'failed' });
    expect(queue.bodies).toHaveLength(2);
    expect(await stateOf()).toMatchObject({ status: 'failing', error: { code: 'bucket_not_found' } });
    const [row] = await kiln.sql<{ failures: number; is_later: boolean }>(
      `select failures, due_at > now() + interval '60 s' as is_later from queue_polls`,
    );
    expect(row).toStrictEqual({ failures: 8, is_later: true });
    await kiln.sql('update connections set bucket = $2 where id = $1', [connectionId, 'other']);
    queue.showAgain();
    await kiln.poll();
    expect(await stateOf()).toMatchObject({ status: 'active', error: null, last_received_at: expect.any(String) });
  });
});
