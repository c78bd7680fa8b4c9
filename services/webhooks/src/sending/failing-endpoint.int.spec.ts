// Real: Postgres, sockets on loopback. Replaced: the recorded times of past failures are moved back.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { deliveryViews, type DeliveryViews } from '../test/delivery-views.js';
import { answer, LATER, startReceiver, type Receiver } from '../test/receiver.js';
import { contextOf, fileCompleted, only, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';

type Created = Awaited<ReturnType<WebhooksHarness['create']>>;

describe('an endpoint that fails', () => {
  let kiln: WebhooksHarness;
  let running: ReturnType<WebhooksHarness['newWorker']>;
  let receiver: Receiver;
  let { finished, attempted } = {} as DeliveryViews;
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startWebhooks();
    receiver = await startReceiver();
    running = kiln.newWorker();
    ({ finished, attempted } = deliveryViews(kiln, tenantId));
  });
  afterEach(async () => {
    await eventually(
      async () => (await kiln.sql('select 1 from queued_deliveries where lease_expires_at > now()')).length === 0,
    );
    await kiln.clear();
    running.disabled.length = 0;
  });
  afterAll(async () => {
    await running.stop();
    await receiver.close();
    await kiln.close();
  });

  const since = async () => only(await kiln.sql<{ failing_since: Date | null }>('select * from webhooks'));
  /** Moves the recorded failures back in time. */
  const ago = (interval: string) =>
    kiln.sql(
      `update webhooks set failing_since = failing_since - $1::interval,
      failing_daily_since = failing_daily_since - $1::interval, last_failed_at = last_failed_at - $1::interval`,
      [interval],
    );
  async function failAgain(webhook: Created, attempt: number): Promise<void> {
    await kiln.hurry();
    await attempted(webhook, attempt);
  }

  it('starts a count of days without a success, which a success ends', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    receiver.behave(answer(500, LATER));
    await kiln.happen(fileCompleted(tenantId));
    await attempted(webhook, 1);
    if (!(await since()).failing_since) throw new Error('no failing_since');
    expect((await kiln.manage.get({ id: webhook.id }, contextOf(tenantId))).last_error).toBe(
      'The endpoint answered 500.',
    );
    receiver.behave(answer(204));
    await kiln.hurry();
    await finished(webhook);
    expect((await since()).failing_since).toBeNull();
    expect((await kiln.manage.get({ id: webhook.id }, contextOf(tenantId))).last_error).toBeNull();
  });

  it('switches the webhook off after five days without a success and half a day of failures in the last of them', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    receiver.behave(answer(500, LATER));
    await kiln.happen(fileCompleted(tenantId));
    await attempted(webhook, 1);
    await ago('5 days');
    await failAgain(webhook, 2);
    await ago('13 hours');
    await kiln.hurry();
    await eventually(() => running.disabled.length > 0);
    const view = await kiln.manage.get({ id: webhook.id }, contextOf(tenantId));
    expect([view.active, view.disabled_reason, view.last_error, running.disabled]).toStrictEqual([
      false,
      'failing',
      'The endpoint answered 500.',
      ['failing'],
    ]);
    const again = await kiln.manage.update({ id: webhook.id, active: true }, contextOf(tenantId));
    expect([again.active, again.disabled_reason, again.failing_since, again.last_error]).toStrictEqual([
      true,
      null,
      null,
      null,
    ]);
  });

  it('for a moment after a quiet week leaves the webhook on, however often it is tried in that moment', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    receiver.behave(answer(500, LATER));
    await kiln.happen(fileCompleted(tenantId));
    await attempted(webhook, 1);
    await ago('7 days');
    for (const attempt of [2, 3, 4]) await failAgain(webhook, attempt);
    // The outcome of this delivery is written after everything that the earlier failures may have caused.
    receiver.behave(answer(204));
    await kiln.hurry();
    await finished(webhook);
    expect(running.disabled).toStrictEqual([]);
    expect((await kiln.manage.get({ id: webhook.id }, contextOf(tenantId))).active).toBe(true);
  });
});
