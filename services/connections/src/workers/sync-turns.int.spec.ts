// Real: Postgres, the worker of syncs, the embedded object store. Faked: a store that keeps every listing waiting.
import { encodeId } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { connectionTo, s3Shape as s3, startScriptedStore, type ScriptedStore } from '../test/scripted-store.js';
import { LEASE_SECONDS, newBucket, newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `${String(index).padStart(3, '0')}.txt`);

describe('syncs of several tenants', () => {
  let kiln: SyncsHarness;
  let slow: ScriptedStore;
  before(async () => {
    kiln = await startSyncs();
    slow = await startScriptedStore();
    slow.answer = () => undefined;
  });
  afterEach(async () => {
    Object.assign(kiln.limits, newLimits());
    kiln.access.pageSize = 1_000;
    slow.asked.length = 0;
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
  });
  after(async () => {
    await kiln.close();
    await slow.close();
  });

  const status = async (tenantId: string, id: string) => (await kiln.syncs.find(tenantId, id))?.status;

  it('of whom one has sixteen to a store that does not answer go on for the other', async () => {
    const [greedy, modest] = [uuidv7(), uuidv7()];
    for (let count = 0; count < 16; count++) {
      await kiln.begin(greedy, await kiln.connect(greedy, connectionTo(s3, slow.url)));
    }
    const { worker, stop } = kiln.newWorker(4);
    try {
      await eventually(() => worker.runningCount === 2 && slow.asked.length === 2);
      const bucket = await newBucket();
      await bucket.put(numbered(3));
      const connectionId = await kiln.connect(modest, bucket.connection);
      const done = await kiln.startSync(modest, connectionId);
      assert.deepEqual([done.status, done.synced_count], ['completed', 3]);
      assert.equal(worker.runningCount, 2, 'one tenant holds half of the worker at most');
    } finally {
      await stop();
    }
  });

  it('take turns by tenant, whatever number of syncs each has', async () => {
    kiln.limits.pagesPerClaim = 1;
    kiln.access.pageSize = 2;
    const { put, connection } = await newBucket();
    await put(numbered(6));
    const [many, one] = [uuidv7(), uuidv7()];
    for (const tenantId of [many, many, many, one])
      await kiln.begin(tenantId, await kiln.connect(tenantId, connection));
    const turns: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const sync = await kiln.claimOne();
      turns.push(sync.tenant_id);
      await kiln.runSync.execute(sync, new AbortController().signal);
    }
    assert.equal(turns.filter((tenantId) => tenantId === one).length, 3, 'every second turn');
    for (const [at, tenantId] of turns.entries()) assert.notEqual(tenantId, turns[at + 1]);
    const left = await kiln.sql<{ claims: number }>('select fence as claims from syncs where tenant_id = $1', [many]);
    assert.deepEqual(
      left.map(({ claims }) => claims),
      [1, 1, 1],
      'and those of one tenant take turns among themselves',
    );
  });

  it('are claimed by workers at the same time, each once', async () => {
    const tenants = Array.from({ length: 5 }, () => uuidv7());
    const { connection } = await newBucket();
    for (const tenantId of tenants) {
      for (let count = 0; count < 4; count++) await kiln.begin(tenantId, await kiln.connect(tenantId, connection));
    }
    const claimed = new Map<string, number>();
    while (claimed.size < 20) {
      const claim = () => kiln.syncs.claim(3, LEASE_SECONDS, { held: new Map(), heldMax: 2 });
      for (const sync of (await Promise.all([claim(), claim(), claim()])).flat()) {
        claimed.set(sync.id, (claimed.get(sync.id) ?? 0) + 1);
      }
    }
    assert.deepEqual([...new Set(claimed.values())], [1]);
  });

  it('are cancelled: the request under way is given up, the slot is free, and nothing is removed', async () => {
    const tenantId = uuidv7();
    const connectionId = await kiln.connect(tenantId, connectionTo(s3, slow.url));
    const connection_id = encodeId('connection', connectionId);
    const cancel = () => kiln.manageSyncs.cancel({ connection_id }, contextOf(tenantId));
    await assert.rejects(cancel(), { code: 'CONFLICT' });
    let closed: Promise<unknown> = Promise.resolve();
    slow.answer = (response) => (closed = once(response, 'close'));
    const { worker, stop } = kiln.newWorker(2);
    try {
      const { id } = await kiln.begin(tenantId, connectionId);
      worker.wakeUp();
      await eventually(() => slow.asked.length === 1);
      const waiting = kiln.manageSyncs.progress({ connection_id }, contextOf(tenantId));
      assert.equal((await waiting).status, 'syncing');
      const cancelled = await cancel();
      assert.deepEqual([cancelled.id, cancelled.status], [encodeId('sync', id), 'cancelled']);
      assert.ok(cancelled.completed_at);
      await closed;
      await eventually(() => worker.runningCount === 0);
      assert.equal(await status(tenantId, id), 'cancelled');
      await assert.rejects(cancel(), { code: 'CONFLICT' });
      const strange = kiln.manageSyncs.cancel({ connection_id }, contextOf(uuidv7()));
      await assert.rejects(strange, { code: 'NOT_FOUND' });
      assert.ok(await kiln.syncs.start(tenantId, uuidv7(), connectionId), 'another may begin');
    } finally {
      slow.answer = () => undefined;
      await stop();
    }
  });

  it('that are waited for are answered when they are cancelled', async () => {
    const tenantId = uuidv7();
    const connectionId = await kiln.connect(tenantId, connectionTo(s3, slow.url));
    const starting = kiln.startSync(tenantId, connectionId);
    await eventually(async () => (await kiln.syncs.newest(tenantId, connectionId)) !== null);
    await kiln.manageSyncs.cancel({ connection_id: encodeId('connection', connectionId) }, contextOf(tenantId));
    assert.equal((await starting).status, 'cancelled');
  });
});
