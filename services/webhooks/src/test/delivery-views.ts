// Deliveries as the owner of a webhook sees them, and waiting for what becomes of them.
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { contextOf, only, type WebhooksHarness } from './webhooks-harness.js';

type Created = Awaited<ReturnType<WebhooksHarness['create']>>;

export type DeliveryViews = ReturnType<typeof deliveryViews>;

export function deliveryViews(kiln: WebhooksHarness, tenantId: string) {
  const deliveriesOf = async ({ id }: Created, query: { status?: 'pending' | 'delivered' | 'failed' } = {}) =>
    (await kiln.read.list({ id, limit: 50, ...query }, contextOf(tenantId))).deliveries;
  const attemptsOf = async ({ id }: Created, deliveryId: string) =>
    (await kiln.read.get({ id, delivery_id: deliveryId }, contextOf(tenantId))).attempts;
  const settled = (webhook: Created, count = 1) =>
    eventually(async () => {
      const deliveries = await deliveriesOf(webhook);
      assert.equal(deliveries.length, count);
      assert.ok(
        deliveries.every(({ status }) => status !== 'pending'),
        JSON.stringify(deliveries),
      );
      return deliveries;
    });
  const attempted = (webhook: Created, attempt: number) =>
    eventually(async () => {
      const pending = () => deliveriesOf(webhook, { status: 'pending' });
      assert.equal((await attemptsOf(webhook, only(await pending()).id)).length, attempt);
      return only(await pending());
    });
  return { deliveriesOf, attemptsOf, settled, attempted };
}
