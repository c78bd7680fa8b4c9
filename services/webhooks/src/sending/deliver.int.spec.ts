// Real: Postgres, sockets on loopback. Faked: nothing. The test opens the transaction of the inbox.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeId, encodeId, uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { databaseTime, deliveryViews, secondsUntilDue, type DeliveryViews } from '../test/delivery-views.js';
import { answer, LATER, startReceiver, type Receiver } from '../test/receiver.js';
import { contextOf, fileCompleted, only, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';

describe('a delivery', () => {
  let kiln: WebhooksHarness;
  let running: ReturnType<WebhooksHarness['newWorker']>;
  let receiver: Receiver;
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startWebhooks();
    receiver = await startReceiver();
    running = kiln.newWorker();
    ({ deliveriesOf, attemptsOf, finished, attempted } = deliveryViews(kiln, tenantId));
  });
  afterEach(async () => {
    await eventually(
      async () => (await kiln.sql('select 1 from queued_deliveries where lease_expires_at > now()')).length === 0,
    );
    await kiln.clear();
    receiver.received.length = 0;
    receiver.behave(answer(204));
    running.disabled.length = 0;
  });
  afterAll(async () => {
    await running.stop();
    await receiver.close();
    await kiln.close();
  });

  let { deliveriesOf, attemptsOf, finished, attempted } = {} as DeliveryViews;

  it('is signed so that the library of the standard accepts it, and its id is that of the event', async () => {
    const webhook = await kiln.create(tenantId, receiver.url, { events: ['file.processing.completed'] });
    await kiln.happen(fileCompleted(tenantId));
    const [delivery] = await finished(webhook);
    const { headers, body, path } = only(receiver.received);
    const payload = new Webhook(webhook.secret).verify(body, headers as Record<string, string>) as { id: string };
    expect(payload.id).toBe(headers['webhook-id']);
    expect(decodeId('event', payload.id)).toBeTruthy();
    expect(path).toBe('/hook');
    expect(headers['content-type']).toBe('application/json');
    expect([
      delivery?.status,
      delivery?.status_code,
      delivery?.attempt,
      delivery?.event_id,
      delivery?.next_attempt_at,
    ]).toStrictEqual(['delivered', 204, 1, payload.id, null]);
    const [event] = (await kiln.listing.list({ limit: 50 }, contextOf(tenantId))).events;
    expect([event?.id, event?.type, event?.webhook_id, event?.delivered]).toStrictEqual([
      payload.id,
      'file.processing.completed',
      webhook.id,
      true,
    ]);
  });

  it('goes once to each webhook of the tenant that wants the event, under one id, and to no other', async () => {
    const all = await kiln.create(tenantId, receiver.url);
    const some = await kiln.create(tenantId, receiver.url, { events: ['job.failed', 'file.processing.completed'] });
    const none = await kiln.create(tenantId, receiver.url, { events: ['job.failed'] });
    const stranger = await kiln.create(uuidv7(), receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    await Promise.all([finished(all), finished(some)]);
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await deliveriesOf(none)).toStrictEqual([]);
    expect((await kiln.sql('select 1 from webhook_events')).length).toStrictEqual(2);
    await expect(deliveriesOf(stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('carries the custom headers, which nobody can read back', async () => {
    const webhook = await kiln.create(tenantId, receiver.url, {
      headers: { Authorization: 'Bearer s3cret', 'X-A': 'b' },
    });
    await kiln.happen(fileCompleted(tenantId));
    await finished(webhook);
    const { headers } = only(receiver.received);
    expect([headers['authorization'], headers['x-a']]).toStrictEqual(['Bearer s3cret', 'b']);
    expect(webhook.header_names).toStrictEqual(['Authorization', 'X-A']);
    const stored = only(await kiln.sql<{ row: string }>('select webhooks::text as row from webhooks'));
    // The row contains the value in sealed form only.
    expect(stored.row).not.toContain(Buffer.from('s3cret').toString('hex'));
    // The row contains the value in sealed form only.
    expect(stored.row).not.toContain(Buffer.from(webhook.secret).toString('hex'));
  });

  it('that fails is tried again as planned, and every attempt is in the log', async () => {
    receiver.behave(answer(500, {}, 'out of \0 paper'.padEnd(3_000, '.')));
    const webhook = await kiln.create(tenantId, receiver.url);
    const before = await databaseTime(kiln);
    await kiln.happen(fileCompleted(tenantId));
    const first = await attempted(webhook, 1);
    // No worker makes the next attempt while the first one is looked at.
    await running.stop();
    expect([first.status, first.status_code]).toStrictEqual(['pending', 500]);
    const due = await secondsUntilDue(kiln, before);
    expect(due.fromBefore).toBeGreaterThan(3.5);
    expect(due.fromNow).toBeLessThanOrEqual(5.5);
    receiver.behave(answer(200, {}, 'thanks'));
    running = kiln.newWorker();
    await kiln.hurry();
    const [delivery] = await finished(webhook);
    expect([delivery?.status, delivery?.attempt, delivery?.error]).toStrictEqual(['delivered', 2, null]);
    const log = await attemptsOf(webhook, delivery?.id ?? '');
    expect(log.map(({ attempt, status_code, error }) => [attempt, status_code, error])).toStrictEqual([
      [1, 500, 'The endpoint answered 500.'],
      [2, 200, null],
    ]);
    expect(log[0]?.response_body).toBe('out of \ufffd paper'.padEnd(1_024, '.'));
    expect(log[1]?.response_body).toBe('thanks');
    expect(receiver.received[0]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id']);
    expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
  });

  it('fails for good after the eighth attempt', async () => {
    receiver.behave(answer(503, LATER));
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    for (let attempt = 1; attempt < 8; attempt++) {
      await attempted(webhook, attempt);
      await kiln.hurry();
    }
    const [delivery] = await finished(webhook);
    expect([delivery?.status, delivery?.attempt, delivery?.next_attempt_at]).toStrictEqual(['failed', 8, null]);
    expect((await attemptsOf(webhook, delivery?.id ?? '')).length).toBe(8);
    expect(receiver.received).toHaveLength(8);
  });

  it('waits as long as Retry-After asks', async () => {
    receiver.behave(answer(429, { 'retry-after': '1800' }));
    const webhook = await kiln.create(tenantId, receiver.url);
    const before = await databaseTime(kiln);
    await kiln.happen(fileCompleted(tenantId));
    await attempted(webhook, 1);
    const due = await secondsUntilDue(kiln, before);
    expect(due.fromBefore).toBeGreaterThan(1_795);
    expect(due.fromNow).toBeLessThanOrEqual(1_980);
  });

  it('does not follow a redirect', async () => {
    receiver.behave(answer(302, { ...LATER, location: receiver.url }));
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const delivery = await attempted(webhook, 1);
    expect(delivery.error ?? '').toMatch(/302; redirects are not followed/);
    expect(receiver.received).toHaveLength(1);
  });

  it('to an endpoint that is gone ends at once, switches the webhook off, and says so to the others', async () => {
    receiver.behave(answer(410));
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const [delivery] = await finished(webhook);
    expect([delivery?.status, delivery?.status_code, delivery?.attempt]).toStrictEqual(['failed', 410, 1]);
    await eventually(() => running.disabled.length > 0);
    const view = await kiln.manage.get({ id: webhook.id }, contextOf(tenantId));
    expect([view.active, view.disabled_reason]).toStrictEqual([false, 'gone']);
    expect(await kiln.emitted()).toStrictEqual(['webhook.disabled']);

    receiver.behave(answer(204));
    const other = await kiln.create(tenantId, receiver.url);
    const data = { webhook_id: webhook.id, url: webhook.url, reason: 'gone', failing_since: null };
    await kiln.happen(fileCompleted(tenantId, { type: 'webhook.disabled', data }));
    const [notice] = await finished(other);
    expect(notice?.event_type).toBe('webhook.disabled');
    // The disabled webhook does not receive it.
    expect(await deliveriesOf(webhook)).toHaveLength(1);
  });

  it('that a former URL of the webhook answers with 410 does not switch the webhook off', async () => {
    const { promise: changed, resolve: change } = Promise.withResolvers<void>();
    receiver.behave((...received) => void changed.then(() => answer(410)(...received)));
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    await eventually(() => receiver.received.length > 0);
    await kiln.manage.update({ id: webhook.id, url: `${receiver.url}/new` }, contextOf(tenantId));
    change();
    await finished(webhook);
    receiver.behave(answer(204));
    await kiln.happen(fileCompleted(tenantId));
    const statuses = (await finished(webhook, 2)).map(({ status_code: status }) => status);
    expect(new Set(statuses)).toStrictEqual(new Set([204, 410]));
    const { active, disabled_reason: reason } = await kiln.manage.get({ id: webhook.id }, contextOf(tenantId));
    expect([active, reason, await kiln.emitted()]).toStrictEqual([true, null, []]);
  });

  it('is signed with the new secret from the moment of a rotation, and with both while it has a grace period', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    const lastVerifies = (secret: string) => {
      const { headers, body } = receiver.received.at(-1) ?? only([]);
      try {
        return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>));
      } catch {
        return false;
      }
    };
    await kiln.happen(fileCompleted(tenantId));
    await finished(webhook, 1);
    expect(lastVerifies(webhook.secret)).toBe(true);

    const graceful = await kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 3_600 }, contextOf(tenantId));
    await kiln.happen(fileCompleted(tenantId));
    await finished(webhook, 2);
    expect([lastVerifies(webhook.secret), lastVerifies(graceful.secret)]).toStrictEqual([true, true]);
    expect(graceful.previous_secret_expires_at).toBeTruthy();

    await kiln.sql(
      `update webhooks set previous_secret_expires_at = now() - interval '1 minute', version = version + 1`,
    );
    await kiln.happen(fileCompleted(tenantId));
    await finished(webhook, 3);
    expect([lastVerifies(webhook.secret), lastVerifies(graceful.secret)]).toStrictEqual([false, true]);

    // A second rotation within the grace period does not end the first.
    const second = await kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 3_600 }, contextOf(tenantId));
    const third = await kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 60 }, contextOf(tenantId));
    await kiln.happen(fileCompleted(tenantId));
    await finished(webhook, 4);
    const secrets = [webhook, graceful, second, third].map(({ secret }) => secret);
    expect(secrets.map(lastVerifies)).toStrictEqual([false, true, true, true]);

    const sudden = await kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 0 }, contextOf(tenantId));
    await kiln.happen(fileCompleted(tenantId));
    await finished(webhook, 5);
    expect([...secrets, sudden.secret].map(lastVerifies)).toStrictEqual([false, false, false, false, true]);
    expect(sudden.previous_secret_expires_at).toBeNull();
  });

  it('is not made for a webhook that is switched off; what it missed is recorded, can be replayed, and a test goes out', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.manage.update({ id: webhook.id, active: false }, contextOf(tenantId));
    await kiln.happen(fileCompleted(tenantId));
    expect(await deliveriesOf(webhook)).toStrictEqual([]);
    const test = await kiln.again.test({ id: webhook.id }, contextOf(tenantId));
    expect([test.event_type, test.status]).toStrictEqual(['webhook.test', 'pending']);
    await finished(webhook, 1);
    expect((JSON.parse(only(receiver.received).body) as { type: string }).type).toBe('webhook.test');

    await kiln.manage.update({ id: webhook.id, active: true }, contextOf(tenantId));
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const recovered = await kiln.replaying.recover({ id: webhook.id, since }, contextOf(tenantId));
    expect(recovered).toStrictEqual({ recovered: 1 });
    await kiln.replayWorker.runRound();
    expect((await finished(webhook, 2))[0]?.status).toBe('delivered');
    expect(await kiln.replaying.recover({ id: webhook.id, since }, contextOf(tenantId))).toStrictEqual({
      recovered: 0,
    });
  });

  it('that is queued when its webhook is switched off or deleted ends without being sent', async () => {
    receiver.behave(answer(500, LATER));
    const webhook = await kiln.create(tenantId, receiver.url);
    const gone = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    await Promise.all([attempted(webhook, 1), attempted(gone, 1)]);
    const before = receiver.received.length;
    await kiln.manage.update({ id: webhook.id, active: false }, contextOf(tenantId));
    await kiln.manage.remove({ id: gone.id }, contextOf(tenantId));
    await kiln.hurry();
    expect((await finished(webhook))[0]?.status).toBe('failed');
    await eventually(async () => (await kiln.sql('select 1 from queued_deliveries')).length === 0);
    expect(receiver.received).toHaveLength(before);
  });

  it('can be sent again by hand, as a delivery of its own with the same event', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const [first] = await finished(webhook, 1);
    const second = await kiln.again.resend({ id: webhook.id, delivery_id: first?.id ?? '' }, contextOf(tenantId));
    expect(second.id).not.toBe(first?.id);
    expect(second.event_id).toBe(first?.event_id);
    await finished(webhook, 2);
    const [one, two] = receiver.received;
    expect([one?.headers['webhook-id'], one?.body]).toStrictEqual([two?.headers['webhook-id'], two?.body]);
    const unknown = { id: webhook.id, delivery_id: encodeId('delivery', uuidv7()) };
    await expect(kiln.again.resend(unknown, contextOf(tenantId))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is not sent again by hand while its webhook is not active', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const [first] = await finished(webhook, 1);
    await kiln.manage.update({ id: webhook.id, active: false }, contextOf(tenantId));
    const again = { id: webhook.id, delivery_id: first?.id ?? '' };
    await expect(kiln.again.resend(again, contextOf(tenantId))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/not active/),
    });
    expect(await deliveriesOf(webhook)).toHaveLength(1);
  });

  it('reuses its connection', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    const before = receiver.connections;
    for (let count = 1; count <= 5; count++) {
      await kiln.happen(fileCompleted(tenantId));
      await finished(webhook, count);
    }
    expect(receiver.connections - before).toBeLessThanOrEqual(1);
    expect(uuidOf('webhook', webhook.id)).toHaveLength(36);
  });
});
