// Real: Postgres, the object store. Faked: nothing. No worker runs.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Metrics } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';
import { SyncQueueMetrics } from './sync-queue.metrics.js';

let kiln: SyncsHarness;
beforeAll(async () => {
  kiln = await startSyncs();
});
afterAll(() => kiln.close());

it('shows due syncs, and how long the oldest of them or of the scheduled starts has waited', async () => {
  const metrics = new Metrics('connections', 'worker');
  const queue = new SyncQueueMetrics(metrics, kiln.database);
  const shown = async () => {
    const text = await metrics.text();
    const value = (name: string) => Number(new RegExp(String.raw`^${name}\{.*\} (\S+)$`, 'm').exec(text)?.[1]);
    return [value('kiln_syncs_due'), Math.floor(value('kiln_syncs_oldest_due_seconds') / 100)];
  };
  expect(queue).toBeDefined();
  expect(await shown()).toStrictEqual([0, 0]);
  const tenantId = uuidv7();
  const { id } = await kiln.begin(tenantId, await kiln.connect(tenantId, (await newBucket()).connection));
  await kiln.sql(`update syncs set due_at = now() - interval '101 seconds' where id = $1`, [id]);
  expect(await shown()).toStrictEqual([1, 1]);
  await kiln.sql(`update connections set next_sync_at = now() - interval '301 seconds'`);
  expect(await shown()).toStrictEqual([1, 3]);
  await kiln.sql(`update syncs set due_at = now() + interval '1 hour'`);
  await kiln.sql('update connections set next_sync_at = null');
  expect(await shown()).toStrictEqual([0, 0]);
});
