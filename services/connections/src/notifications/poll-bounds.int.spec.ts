// Real: Postgres, and the embedded object store as the bucket of a customer. The queue is in this process.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { MemoryQueue } from '../test/memory-queue.js';
import { startNotifications, type NotificationsHarness } from '../test/notifications-harness.js';
import type { ClaimedPoll } from './queue-poll.store.js';

const names = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `${from + at}.txt`);

describe('notifications of a bucket', () => {
  let kiln: NotificationsHarness;
  let tenantId: string;
  beforeAll(async () => {
    kiln = await startNotifications({ nodesMax: 130 });
  });
  beforeEach(async () => {
    tenantId = uuidv7();
    await kiln.sql('delete from outbox');
    await kiln.sql('delete from queue_polls');
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
  });
  afterAll(() => kiln.close());

  const syncsOf = (connectionId: string) =>
    kiln.sql<{ status: string; error_code: string | null }>(
      'select status, error_code from syncs where connection_id = $1 order by id',
      [connectionId],
    );
  const runSync = async () => kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal);

  it('remove no more files than a sync may without force; then a sync decides, and counts all of them', async () => {
    const { put, objects, notify, connectionId } = await kiln.connectQueue(tenantId);
    await put(names(60));
    await kiln.sync(tenantId, connectionId);
    await objects.deleteMany(names(29));
    notify(...names(29));
    expect(await kiln.poll()).toMatchObject({ hasStartedSync: false });
    expect(await kiln.paths(connectionId)).toHaveLength(31);
    await objects.deleteMany(names(11, 29));
    notify(...names(11, 29));
    expect(await kiln.poll()).toMatchObject({ hasStartedSync: true });
    expect(await kiln.paths(connectionId)).toHaveLength(31);
    expect(await runSync()).toBe('failed');
    expect((await syncsOf(connectionId)).at(-1)).toStrictEqual({ status: 'failed', error_code: 'too_many_deletions' });
    notify(...names(11, 29));
    expect(await kiln.poll()).toMatchObject({ hasStartedSync: false });
    expect(await kiln.paths(connectionId)).toHaveLength(31);
    expect((await kiln.sync(tenantId, connectionId, true)).outcome).toBe('completed');
    expect(await kiln.paths(connectionId)).toHaveLength(20);
    await objects.deleteMany(['59.txt']);
    notify('59.txt');
    await kiln.poll();
    expect(await kiln.paths(connectionId)).toHaveLength(19);
  });

  it('do not count files that were added after the last sync', async () => {
    const { put, objects, notify, connectionId } = await kiln.connectQueue(tenantId);
    await put(['kept.txt']);
    await kiln.sync(tenantId, connectionId);
    for (let round = 0; round < 3; round += 1) {
      await put(names(15));
      notify(...names(15));
      await kiln.poll();
      expect(await kiln.paths(connectionId)).toHaveLength(16);
      await objects.deleteMany(names(15));
      notify(...names(15));
      expect(await kiln.poll()).toMatchObject({ hasStartedSync: false });
      expect(await kiln.paths(connectionId)).toStrictEqual(['kept.txt']);
    }
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('completed');
  });

  it.each([
    ['a connection', null, 130],
    ['the plan', 20, 20],
  ])('add no more nodes than %s may have; a sync is started', async (_of, planned, most) => {
    const { put, notify, connectionId } = await kiln.connectQueue(tenantId);
    await kiln.sql('update connections set nodes_limit = $2 where id = $1', [connectionId, planned]);
    await put(names(140));
    notify(...names(140));
    expect(await kiln.poll()).toMatchObject({ hasStartedSync: true });
    expect((await kiln.paths(connectionId)).length).toBeLessThanOrEqual(most);
  });

  it('wait in the queue while a sync of the connection is pending or running', async () => {
    const { put, notify, queue, connectionId } = await kiln.connectQueue(tenantId);
    await put(['a.txt']);
    notify('a.txt');
    await kiln.begin(tenantId, connectionId);
    expect(await kiln.poll()).toMatchObject({ outcome: 'waiting' });
    const claimed = await kiln.claimOne();
    expect(await kiln.poll()).toMatchObject({ outcome: 'waiting' });
    expect([queue.received, queue.bodies.length]).toStrictEqual([0, 1]);
    await kiln.runSync.execute(claimed, new AbortController().signal);
    expect(await kiln.poll()).toMatchObject({ outcome: 'received' });
    expect(queue.bodies).toStrictEqual([]);
  });

  it('write nothing when a sync was started, or the lease was lost, after the bucket was asked', async () => {
    const { put, notify, queue, connectionId } = await kiln.connectQueue(tenantId);
    await put(['a.txt']);
    notify('a.txt');
    const apply = kiln.changes.apply.bind(kiln.changes);
    kiln.changes.apply = async (...values) => {
      await kiln.begin(tenantId, connectionId);
      return apply(...values);
    };
    expect(await kiln.poll()).toMatchObject({ outcome: 'waiting' });
    await kiln.syncs.cancel(tenantId, connectionId);
    queue.showAgain();
    let other: ClaimedPoll | null = null;
    kiln.changes.apply = async (...values) => {
      await kiln.allDue();
      other = await kiln.claim();
      return apply(...values);
    };
    expect(await kiln.poll()).toMatchObject({ outcome: 'waiting' });
    kiln.changes.apply = apply;
    expect([await kiln.paths(connectionId), queue.bodies.length]).toStrictEqual([[], 1]);
    const [row] = await kiln.sql<{ lease: string }>('select lease from queue_polls');
    expect(row?.lease).toBe((other as ClaimedPoll | null)?.lease);
  });

  it('leave a node unchanged that was seen after the bucket was asked', async () => {
    const { put, objects, notify, connectionId } = await kiln.connectQueue(tenantId);
    await put(['a.txt', 'b.txt']);
    notify('a.txt', 'b.txt');
    await kiln.poll();
    await put(['a.txt'], 'other text');
    await objects.deleteMany(['b.txt']);
    notify('a.txt', 'b.txt');
    await kiln.sql(`update nodes set seen_at = now() + interval '1 minute' where connection_id = $1`, [connectionId]);
    await kiln.poll();
    expect([...(await kiln.files(connectionId)).values()].map(({ size_bytes }) => size_bytes)).toStrictEqual([4, 4]);
  });

  it('give the object of an upload the node of the upload, and a later object at its path another one', async () => {
    const fields = { on_delete: 'delete' as const };
    const { objects, notify, connectionId, connection_id } = await kiln.connectQueue(tenantId, fields);
    const upload = { connection_id, node_id: encodeId('node', uuidv7()), path: 'up.txt' };
    const { node_id } = await kiln.uploadNode.init(upload, contextOf(tenantId));
    await objects.put('up.txt', 'uploaded', { contentType: 'text/plain' });
    notify('up.txt');
    await kiln.poll();
    const [node] = (await kiln.files(connectionId)).values();
    expect(encodeId('node', node?.id ?? '')).toBe(node_id);
    expect(await kiln.uploadNode.commit({ node_id }, contextOf(tenantId))).toMatchObject({ node_id, size_bytes: 8 });
    await objects.deleteMany(['up.txt']);
    notify('up.txt');
    await kiln.poll();
    await objects.put('up.txt', 'again', { contentType: 'text/plain' });
    notify('up.txt');
    await kiln.poll();
    const [later] = (await kiln.files(connectionId)).values();
    expect(later?.id).not.toBe(node?.id);
  });

  it('are not read while the connection is paused, without a queue, or deleted', async () => {
    const { connectionId, connection_id } = await kiln.connectQueue(tenantId);
    const change = (changes: object) =>
      kiln.check.update({ id: connection_id, org_id: kiln.organizationId, ...changes }, contextOf(tenantId));
    const isDue = async () => {
      await kiln.allDue();
      return (await kiln.claim()) !== null;
    };
    await change({ paused: true });
    expect(await isDue()).toBe(false);
    await change({ paused: false });
    expect(await isDue()).toBe(true);
    await change({ notifications: null });
    expect(await isDue()).toBe(false);
    expect((await kiln.manage.get({ id: connection_id }, contextOf(tenantId))).notifications).toBeNull();
    await change({ notifications: { type: 'sqs', queue: 'https://sqs.eu-west-1.amazonaws.com/1/other' } });
    expect(await isDue()).toBe(true);
    await kiln.connections.remove(tenantId, connectionId);
    expect(await kiln.sql('select 1 from queue_polls')).toStrictEqual([]);
  });
});

describe('a worker that reads queues', () => {
  let kiln: NotificationsHarness;
  beforeAll(async () => {
    kiln = await startNotifications();
  });
  afterAll(() => kiln.close());

  it('reads a queue again when messages come, and rests between empty polls', async () => {
    const { put, notify, connectionId } = await kiln.connectQueue(uuidv7());
    const { worker, results } = kiln.newWorker();
    await put(['a.txt', 'b.txt']);
    notify('a.txt');
    await eventually(async () => expect(await kiln.paths(connectionId)).toStrictEqual(['a.txt']));
    await eventually(async () =>
      expect(results.filter(({ outcome }) => outcome === 'empty').length).toBeGreaterThan(1),
    );
    await eventually(async () => {
      const [row] = await kiln.sql<{ empty_polls: number }>('select empty_polls from queue_polls');
      expect(row?.empty_polls).toBeGreaterThan(0);
    });
    notify('b.txt');
    // A poll that is under way keeps its lease.
    await kiln.sql('update queue_polls set due_at = now() where lease is null');
    await eventually(async () => expect(await kiln.paths(connectionId)).toStrictEqual(['a.txt', 'b.txt']));
    await worker.stop();
    await kiln.sql('delete from queue_polls');
  });

  it('gives a tenant at most its share of the slots, and the others theirs', async () => {
    const [many, one] = [uuidv7(), uuidv7()];
    const row = (tenantId: string) =>
      kiln.sql(
        `insert into queue_polls (tenant_id, connection_id, due_at) values ($1, $2, now() - interval '1 hour')`,
        [tenantId, uuidv7()],
      );
    for (let at = 0; at < 6; at += 1) await row(many);
    await row(one);
    const tenants = (await kiln.polls.claim(4, { held: new Map(), heldMax: 2 })).map(({ tenant_id }) => tenant_id);
    expect(tenants.toSorted()).toStrictEqual([many, many, one].toSorted());
    const held = new Map([
      [many, 2],
      [one, 1],
    ]);
    expect(await kiln.polls.claim(4, { held, heldMax: 2 })).toStrictEqual([]);
    await kiln.sql('delete from queue_polls');
  });

  it('releases the queues that it reads when it stops', async () => {
    const queue = new MemoryQueue();
    const waiting = new Promise<void>((resolve) => {
      queue.receive = (...[options]: unknown[]) => {
        const { signal } = options as { signal: AbortSignal };
        resolve();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      };
    });
    await kiln.connectQueue(uuidv7());
    kiln.opener.openQueue = async () => queue;
    const { worker } = kiln.newWorker();
    await waiting;
    await worker.stop();
    const [row] = await kiln.sql<object>('select lease, failures, due_at <= now() as is_due from queue_polls');
    expect(row).toStrictEqual({ lease: null, failures: 0, is_due: true });
  });
});
