// Real: Postgres, and the embedded object store as the bucket of a customer.
import { encodeId } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `${String(index).padStart(3, '0')}.txt`);

describe('a sync', () => {
  let kiln: SyncsHarness;
  let tenantId: string;
  before(async () => {
    kiln = await startSyncs();
  });
  afterEach(() => {
    kiln.access.pageSize = 1_000;
    kiln.access.onPage = () => undefined;
  });
  after(() => kiln.close());

  async function connected() {
    tenantId = uuidv7();
    const bucket = await newBucket();
    return { ...bucket, connectionId: await kiln.connect(tenantId, bucket.connection) };
  }

  it('previewed tells what it would change, and changes nothing', async () => {
    const { objects, put, connectionId } = await connected();
    await put(['a.txt', 'b.txt', 'c/d.txt'], '12345');
    const preview = () =>
      kiln.preview.execute({ connection_id: encodeId('connection', connectionId) }, contextOf(tenantId));
    assert.deepEqual(await preview(), {
      new_files: 3,
      updated_files: 0,
      deleted_files: 0,
      total_size_bytes: 15,
      complete: true,
    });
    assert.deepEqual(await kiln.paths(connectionId), []);
    await kiln.sync(tenantId, connectionId);
    await put(['b.txt'], '1234567');
    await put(['new.txt'], '1');
    await objects.delete('c/d.txt');
    kiln.access.pageSize = 1;
    assert.deepEqual(await preview(), {
      new_files: 1,
      updated_files: 1,
      deleted_files: 1,
      total_size_bytes: 13,
      complete: true,
    });
  });

  it('tells its progress by the count of the last one, and its history newest first, page by page', async () => {
    const { put, connectionId } = await connected();
    await put(numbered(10));
    const connection_id = encodeId('connection', connectionId);
    const progress = () => kiln.manageSyncs.progress({ connection_id }, contextOf(tenantId));
    assert.deepEqual(await progress(), {
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
    assert.deepEqual(seen, [
      ['syncing', 0, 10, 0],
      ['syncing', 4, 10, 40],
      ['syncing', 8, 10, 80],
    ]);
    const { status, percent, eta_seconds } = await progress();
    assert.deepEqual([status, percent, eta_seconds], ['completed', 100, 0]);
    const first = await kiln.manageSyncs.history({ connection_id, limit: 1 }, contextOf(tenantId));
    const second = await kiln.manageSyncs.history(
      { connection_id, limit: 1, cursor: first.next_cursor ?? '' },
      contextOf(tenantId),
    );
    assert.deepEqual([first.syncs[0]?.files_added, second.syncs[0]?.files_added, second.next_cursor], [0, 10, null]);
  });

  it('started beyond eight that requests of its tenant wait for is answered at once as pending, and another tenant waits for its own', async () => {
    const { connection } = await newBucket();
    const first = uuidv7();
    const connect = (tenant: string) => kiln.connect(tenant, connection);
    const connections = await Promise.all(Array.from({ length: 9 }, () => connect(first)));
    const order: string[] = [];
    const start = (tenant: string, connectionId: string) =>
      kiln.startSync(tenant, connectionId, 6_000).then(({ status }) => void order.push(`${tenant} ${status}`));
    const other = uuidv7();
    const starts = connections.map((connectionId) => start(first, connectionId));
    await eventually(() => order.length === 1);
    const others = start(other, await connect(other));
    assert.deepEqual(order, [`${first} pending`]);
    const { stop } = kiln.newWorker();
    await Promise.all([...starts, others]);
    await stop();
    assert.equal(order.filter((line) => line === `${first} completed`).length, 8);
    assert.ok(order.includes(`${other} completed`));
  });
});
