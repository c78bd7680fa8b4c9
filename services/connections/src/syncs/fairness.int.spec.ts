// Real: Postgres, the worker of syncs, the embedded object store. Faked: a store that keeps every listing waiting.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { once } from 'node:events';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { connectionTo, s3Shape as s3, startScriptedStore, type ScriptedStore } from '../test/scripted-store.js';
import { newBucket, newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';
import { LEASE_SECONDS } from './sync.store.js';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `${String(index).padStart(3, '0')}.txt`);

describe('syncs of several tenants', () => {
  let kiln: SyncsHarness;
  let slow: ScriptedStore;
  beforeAll(async () => {
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
  afterAll(async () => {
    await kiln.close();
    await slow.close();
  });

  const status = async (tenantId: string, id: string) => (await kiln.syncs.find(tenantId, id))?.status;

  it('run for one tenant while another has sixteen to a store that does not answer', async () => {
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
      expect((await kiln.completed(modest, connectionId)).synced_count).toBe(3);
      // One tenant holds half of the worker at most.
      await eventually(() => worker.runningCount === 2);
    } finally {
      await stop();
    }
  });

  it('are served round robin by tenant, however many syncs each has', async () => {
    kiln.limits.pagesPerClaim = 1;
    kiln.access.pageSize = 2;
    const { put, connection } = await newBucket();
    await put(numbered(6));
    const [many, one] = [uuidv7(), uuidv7()];
    for (const tenantId of [many, many, many, one])
      await kiln.begin(tenantId, await kiln.connect(tenantId, connection));
    const served: string[] = [];
    for (let claim = 0; claim < 6; claim++) {
      const sync = await kiln.claimOne();
      served.push(sync.tenant_id);
      await kiln.runSync.execute(sync, new AbortController().signal);
    }
    // The tenant gets every second claim.
    expect(served.filter((tenantId) => tenantId === one)).toHaveLength(3);
    for (const [at, tenantId] of served.entries()) expect(tenantId).not.toBe(served[at + 1]);
    const left = await kiln.sql<{ claims: number }>('select fence as claims from syncs where tenant_id = $1', [many]);
    // Syncs of one tenant are served round robin too.
    expect(left.map(({ claims }) => claims)).toStrictEqual([1, 1, 1]);
  });

  it('are claimed once each by concurrent workers', async () => {
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
    expect([...new Set(claimed.values())]).toStrictEqual([1]);
  });

  it('can be cancelled: the running request is aborted, the slot becomes free, and nothing is removed', async () => {
    const tenantId = uuidv7();
    const connectionId = await kiln.connect(tenantId, connectionTo(s3, slow.url));
    const connection_id = encodeId('connection', connectionId);
    const cancel = () => kiln.manageSyncs.cancel({ connection_id }, contextOf(tenantId));
    await expect(cancel()).rejects.toMatchObject({ code: 'CONFLICT' });
    let closed: Promise<unknown> = Promise.resolve();
    slow.answer = (response) => (closed = once(response, 'close'));
    const { worker, stop } = kiln.newWorker(2);
    try {
      const { id } = await kiln.begin(tenantId, connectionId);
      worker.wakeUp();
      await eventually(() => slow.asked.length === 1);
      const waiting = kiln.manageSyncs.progress({ connection_id }, contextOf(tenantId));
      expect((await waiting).status).toBe('syncing');
      const cancelled = await cancel();
      expect([cancelled.id, cancelled.status]).toStrictEqual([encodeId('sync', id), 'cancelled']);
      expect(cancelled.completed_at).toBeTruthy();
      await closed;
      await eventually(() => worker.runningCount === 0);
      expect(await status(tenantId, id)).toBe('cancelled');
      await expect(cancel()).rejects.toMatchObject({ code: 'CONFLICT' });
      const strange = kiln.manageSyncs.cancel({ connection_id }, contextOf(uuidv7()));
      await expect(strange).rejects.toMatchObject({ code: 'NOT_FOUND' });
      // Another sync can start.
      expect(await kiln.syncs.start(tenantId, uuidv7(), connectionId)).toBeTruthy();
    } finally {
      slow.answer = () => undefined;
      await stop();
    }
  });

  it('return to waiting requests when they are cancelled', async () => {
    const tenantId = uuidv7();
    const connectionId = await kiln.connect(tenantId, connectionTo(s3, slow.url));
    const starting = kiln.startSync(tenantId, connectionId);
    await eventually(async () => (await kiln.syncs.newest(tenantId, connectionId)) !== null);
    await kiln.manageSyncs.cancel({ connection_id: encodeId('connection', connectionId) }, contextOf(tenantId));
    expect((await starting).status).toBe('cancelled');
  });
});
