// Real: Postgres. Faked: nothing. No worker runs.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Metrics } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { fileCompleted, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';
import { DeliveryQueueMetrics } from './delivery-queue.metrics.js';

let kiln: WebhooksHarness;
beforeAll(async () => {
  kiln = await startWebhooks();
});
afterAll(() => kiln.close());

it('shows queued deliveries, and how long the oldest due delivery has waited, without those under way and those whose endpoint fails', async () => {
  const metrics = new Metrics('webhooks', 'worker');
  const queue = new DeliveryQueueMetrics(metrics, kiln.database);
  const shown = async () => {
    const text = await metrics.text();
    const value = (name: string) => Number(new RegExp(String.raw`^${name}\{.*\} (\S+)$`, 'm').exec(text)?.[1]);
    return [value('kiln_webhook_deliveries_queued'), Math.floor(value('kiln_webhook_oldest_due_seconds') / 90)];
  };
  /** A value that is read too slowly is left out. */
  const shows = (expected: number[]) => eventually(async () => expect(await shown()).toStrictEqual(expected));
  expect(queue).toBeDefined();
  await shows([0, 0]);
  const tenantId = uuidv7();
  await kiln.create(tenantId, 'http://127.0.0.1:9/');
  await kiln.happen(fileCompleted(tenantId), fileCompleted(tenantId));
  await kiln.sql(`update waiting_webhooks set due_at = now() - interval '91 seconds'`);
  // A webhook that stays due, with new deliveries.
  await shows([2, 0]);
  await kiln.sql(`update queued_deliveries set due_at = now() - interval '91 seconds'`);
  await shows([2, 1]);
  await kiln.sql(`update queued_deliveries set lease_expires_at = now() + interval '91 seconds'`);
  await shows([2, 0]);
  await kiln.sql(`update queued_deliveries set lease_expires_at = '-infinity'`);
  await shows([2, 1]);
  await kiln.sql('update waiting_webhooks set failing = true');
  await shows([2, 0]);
});
