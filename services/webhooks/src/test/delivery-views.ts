// Shows deliveries as the owner of a webhook sees them, and waits for their outcomes.
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

export async function databaseTime(kiln: WebhooksHarness): Promise<Date> {
  return only(await kiln.sql<{ now: Date }>('select now() as now')).now;
}

/** How long the one queued delivery waits, counted from before its attempt and from now. The delay is between the two. */
export async function secondsUntilDue(kiln: WebhooksHarness, before: Date) {
  const text = `select extract(epoch from due_at - $1)::float as "fromBefore", extract(epoch from due_at - now())::float as "fromNow"
    from queued_deliveries`;
  return only(await kiln.sql<{ fromBefore: number; fromNow: number }>(text, [before]));
}
