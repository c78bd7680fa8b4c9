// Real: Postgres, and the embedded object store as the bucket of a customer.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, SYNC_WAIT_MS } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `${String(index).padStart(3, '0')}.txt`);

describe('a sync', () => {
  let kiln: SyncsHarness;
  let tenantId: string;
  beforeAll(async () => {
    kiln = await startSyncs();
  });
  afterEach(() => {
    kiln.access.pageSize = 1_000;
    kiln.access.onPage = () => undefined;
  });
  afterAll(() => kiln.close());

  async function connected() {
    tenantId = uuidv7();
    const bucket = await newBucket();
    return { ...bucket, connectionId: await kiln.connect(tenantId, bucket.connection) };
  }

  it('can be previewed: the preview returns what it would change, and changes nothing', async () => {
    const { objects, put, connectionId } = await connected();
    await put(['a.txt', 'b.txt', 'c/d.txt'], '12345');
    const preview = () =>
      kiln.preview.execute({ connection_id: encodeId('connection', connectionId) }, contextOf(tenantId));
    expect(await preview()).toStrictEqual({
      new_files: 3,
      updated_files: 0,
      deleted_files: 0,
      queued_files: 0,
      excluded_files: 0,
      total_size_bytes: 15,
      complete: true,
    });
    expect(await kiln.paths(connectionId)).toStrictEqual([]);
    await kiln.sync(tenantId, connectionId);
    await put(['b.txt'], '1234567');
    await put(['new.txt'], '1');
    await objects.delete('c/d.txt');
    kiln.access.pageSize = 1;
    expect(await preview()).toStrictEqual({
      new_files: 1,
      updated_files: 1,
      deleted_files: 1,
      queued_files: 0,
      excluded_files: 0,
      total_size_bytes: 13,
      complete: true,
    });
  });

  it('reports its progress by the count of the last one; the history is listed newest first, page by page', async () => {
    const { put, connectionId } = await connected();
    await put(numbered(10));
    const connection_id = encodeId('connection', connectionId);
    const progress = () => kiln.manageSyncs.progress({ connection_id }, contextOf(tenantId));
    expect(await progress()).toStrictEqual({
      status: 'pending',
      synced: 0,
      total: null,
      percent: 0,
      eta_seconds: null,
      started_at: null,
    });
    await kiln.sync(tenantId, connectionId);
    kiln.access.pageSize = 4;
    const seen: [string, number, number | null, number][] = [];
    kiln.access.onPage = async () => {
      const { status, synced, total, percent } = await progress();
      seen.push([status, synced, total, percent]);
    };
    await kiln.sync(tenantId, connectionId);
    expect(seen).toStrictEqual([
      ['syncing', 0, 10, 0],
      ['syncing', 4, 10, 40],
      ['syncing', 8, 10, 80],
    ]);
    const { status, percent, eta_seconds } = await progress();
    expect([status, percent, eta_seconds]).toStrictEqual(['completed', 100, 0]);
    const first = await kiln.manageSyncs.history({ connection_id, limit: 1 }, contextOf(tenantId));
    const second = await kiln.manageSyncs.history(
      { connection_id, limit: 1, cursor: first.next_cursor ?? '' },
      contextOf(tenantId),
    );
    expect([first.syncs[0]?.files_added, second.syncs[0]?.files_added, second.next_cursor]).toStrictEqual([
      0,
      10,
      null,
    ]);
  });

  it('is returned at once as pending when eight requests of its tenant wait already; other tenants still wait', async () => {
    const { connection } = await newBucket();
    const first = uuidv7();
    const connect = (tenant: string) => kiln.connect(tenant, connection);
    const connections = await Promise.all(Array.from({ length: 9 }, () => connect(first)));
    const order: string[] = [];
    const start = async (tenant: string, connectionId: string) => {
      const startedAt = performance.now();
      const { status } = await kiln.startSync(tenant, connectionId, 120_000);
      // On a busy machine a sync may take longer than its request waits.
      const hasWaited = status === 'completed' || performance.now() - startedAt > 0.9 * SYNC_WAIT_MS;
      order.push(`${tenant} ${hasWaited ? 'waited' : status}`);
    };
    const other = uuidv7();
    const starts = connections.map((connectionId) => start(first, connectionId));
    await eventually(() => order.length > 0);
    const others = start(other, await connect(other));
    expect(order[0]).toBe(`${first} pending`);
    const { stop } = kiln.newWorker();
    await Promise.all([...starts, others]);
    await stop();
    expect(order.filter((line) => line === `${first} waited`)).toHaveLength(8);
    expect(order).toContain(`${other} waited`);
  });
});
