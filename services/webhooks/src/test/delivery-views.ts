// Deliveries as the owner of a webhook sees them, and waiting for what becomes of them.
import { expect } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { contextOf, only, type WebhooksHarness } from './webhooks-harness.js';

type Created = Awaited<ReturnType<WebhooksHarness['create']>>;

export type DeliveryViews = ReturnType<typeof deliveryViews>;

export function deliveryViews(kiln: WebhooksHarness, tenantId: string) {
  const deliveriesOf = async ({ id }: Created, query: { status?: 'pending' | 'delivered' | 'failed' } = {}) =>
    (await kiln.read.list({ id, limit: 50, ...query }, contextOf(tenantId))).deliveries;
  const attemptsOf = async ({ id }: Created, deliveryId: string) =>
    (await kiln.read.get({ id, delivery_id: deliveryId }, contextOf(tenantId))).attempts;
  const finished = (webhook: Created, count = 1) =>
    eventually(async () => {
      const deliveries = await deliveriesOf(webhook);
      expect(deliveries).toHaveLength(count);
      expect(deliveries.filter(({ status }) => status === 'pending')).toStrictEqual([]);
      return deliveries;
    });
  const attempted = (webhook: Created, attempt: number) =>
    eventually(async () => {
      const pending = () => deliveriesOf(webhook, { status: 'pending' });
      expect(await attemptsOf(webhook, only(await pending()).id)).toHaveLength(attempt);
      return only(await pending());
    });
  return { deliveriesOf, attemptsOf, finished, attempted };
}
