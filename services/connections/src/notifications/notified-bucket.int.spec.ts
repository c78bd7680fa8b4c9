// Random histories of a bucket whose changes are reported late, twice and out of order, while syncs run and workers fail. Real: Postgres, and the
// embedded object store as the bucket of a customer. The queue is in this process.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { startNotifications, type NotificationsHarness } from '../test/notifications-harness.js';

const RUNS = 12;
const key = fc.constantFrom('a.txt', 'b.txt', 'd/a.txt', 'd/e/b.txt', 'd/e/c d+e.txt', 'z.txt');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), key, text: fc.constantFrom('one', 'other') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('poll' as const), seed: fc.nat() }) },
  // The process dies after it has applied a batch, before it deletes the messages.
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const) }) },
  // A poll comes between the pages of a sync.
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sync' as const) }) },
);

let kiln: NotificationsHarness;
beforeAll(async () => {
  kiln = await startNotifications();
  kiln.access.pageSize = 2;
});
afterAll(() => kiln.close());

it('once all changes are reported, the nodes are the objects of the bucket, and a sync changes nothing', async () => {
  const history = fc.array(step, { minLength: 5, maxLength: 40 });
  await fc.assert(fc.asyncProperty(history, replay), { seed: testSeed(), numRuns: RUNS, endOnFailure: true });
});

async function replay(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]): Promise<void> {
  await kiln.sql('delete from queue_polls');
  const tenantId = uuidv7();
  const { put, objects, notify, queue, connectionId } = await kiln.connectQueue(tenantId, { on_delete: 'delete' });
  await put(['kept.txt']);
  notify('kept.txt');
  kiln.access.onPage = async () => {
    expect((await kiln.poll()).outcome).toBe('waiting');
  };
  for (const each of steps) {
    if (each.do === 'put') {
      await put([each.key], each.text);
      notify(each.key);
    } else if (each.do === 'delete') {
      await objects.deleteMany([each.key]);
      notify(each.key);
      notify(each.key);
    } else if (each.do === 'sync') expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('completed');
    else {
      if (each.do === 'die') queue.deleteError = new Error('the process has died');
      else queue.shuffle(each.seed);
      await kiln.poll();
      queue.deleteError = null;
      queue.showAgain();
    }
  }
  while ((await kiln.poll()).outcome !== 'empty');
  const found = await kiln.files(connectionId);
  const listed = (await objects.list('')).objects.map(({ key: path, etag, sizeBytes }) => [path, etag, sizeBytes]);
  expect([...found.values()].map(({ path, etag, size_bytes }) => [path, etag, size_bytes])).toStrictEqual(listed);
  const { row } = await kiln.sync(tenantId, connectionId);
  expect(row).toMatchObject({
    status: 'completed',
    files_added: 0,
    files_updated: 0,
    files_deleted: 0,
    files_moved: 0,
  });
  expect(await kiln.files(connectionId)).toStrictEqual(found);
}
