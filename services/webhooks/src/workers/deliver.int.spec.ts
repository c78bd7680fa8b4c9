// Real: Postgres, sockets on loopback. Faked: nothing; the inbox's transaction is opened by the test.
import { decodeId, encodeId, uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { deliveryViews, type DeliveryViews } from '../test/delivery-views.js';
import { answer, startReceiver, type Receiver } from '../test/receiver.js';
import { contextOf, fileCompleted, only, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';

describe('a delivery', () => {
  let kiln: WebhooksHarness;
  let running: ReturnType<WebhooksHarness['newWorker']>;
  let receiver: Receiver;
  const tenantId = uuidv7();
  before(async () => {
    kiln = await startWebhooks();
    receiver = await startReceiver();
    running = kiln.newWorker();
    ({ deliveriesOf, attemptsOf, settled, attempted } = deliveryViews(kiln, tenantId));
  });
  afterEach(async () => {
    await eventually(
      async () => (await kiln.sql('select 1 from queued_deliveries where leased_until > now()')).length === 0,
    );
    await kiln.clear();
    receiver.received.length = 0;
    receiver.behave(answer(204));
    running.disabled.length = 0;
  });
  after(async () => {
    await running.stop();
    await receiver.close();
    await kiln.close();
  });

  let { deliveriesOf, attemptsOf, settled, attempted } = {} as DeliveryViews;

  it('is signed so that the library of the standard accepts it, and its id is that of the event', async () => {
    const webhook = await kiln.create(tenantId, receiver.url, { events: ['file.processing.completed'] });
    await kiln.happen(fileCompleted(tenantId));
    const [delivery] = await settled(webhook);
    const { headers, body, path } = only(receiver.received);
    const payload = new Webhook(webhook.secret).verify(body, headers as Record<string, string>) as { id: string };
    assert.equal(payload.id, headers['webhook-id']);
    assert.ok(decodeId('event', payload.id));
    assert.equal(path, '/hook');
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(
      [delivery?.status, delivery?.status_code, delivery?.attempt, delivery?.event_id, delivery?.next_attempt_at],
      ['delivered', 204, 1, payload.id, null],
    );
    const [event] = (await kiln.read.listEvents({ limit: 50 }, contextOf(tenantId))).events;
    assert.deepEqual(
      [event?.id, event?.type, event?.webhook_id, event?.delivered],
      [payload.id, 'file.processing.completed', webhook.id, true],
    );
  });

  it('goes once to each webhook of the tenant that wants the event, and to no other', async () => {
    const all = await kiln.create(tenantId, receiver.url);
    const some = await kiln.create(tenantId, receiver.url, { events: ['job.failed', 'file.processing.completed'] });
    const none = await kiln.create(tenantId, receiver.url, { events: ['job.failed'] });
    const stranger = await kiln.create(uuidv7(), receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    await Promise.all([settled(all), settled(some)]);
    assert.equal(receiver.received.length, 2);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 2);
    assert.deepEqual(await deliveriesOf(none), []);
    assert.deepEqual((await kiln.sql('select 1 from webhook_events')).length, 2);
    await assert.rejects(deliveriesOf(stranger), { code: 'NOT_FOUND' });
  });

  it('carries the custom headers, which nobody can read back', async () => {
    const webhook = await kiln.create(tenantId, receiver.url, {
      headers: { Authorization: 'Bearer s3cret', 'X-A': 'b' },
    });
    await kiln.happen(fileCompleted(tenantId));
    await settled(webhook);
    const { headers } = only(receiver.received);
    assert.deepEqual([headers['authorization'], headers['x-a']], ['Bearer s3cret', 'b']);
    assert.deepEqual(webhook.header_names, ['Authorization', 'X-A']);
    const stored = only(await kiln.sql<{ row: string }>('select webhooks::text as row from webhooks'));
    assert.ok(!stored.row.includes(Buffer.from('s3cret').toString('hex')), 'sealed at rest');
    assert.ok(!stored.row.includes(Buffer.from(webhook.secret).toString('hex')), 'sealed at rest');
  });

  it('that fails is tried again as planned, and every attempt is in the log', async () => {
    receiver.behave(answer(500, {}, 'out of \0 paper'.padEnd(3_000, '.')));
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const first = await attempted(webhook, 1);
    assert.deepEqual([first.status, first.status_code], ['pending', 500]);
    const [row] = await kiln.sql<{ seconds: number }>(
      'select extract(epoch from due_at - now())::float as seconds from queued_deliveries',
    );
    assert.ok(row && row.seconds > 3.5 && row.seconds <= 5.5, `${row?.seconds} s`);
    receiver.behave(answer(200, {}, 'thanks'));
    await kiln.hurry();
    const [delivery] = await settled(webhook);
    assert.deepEqual([delivery?.status, delivery?.attempt, delivery?.error], ['delivered', 2, null]);
    const log = await attemptsOf(webhook, delivery?.id ?? '');
    assert.deepEqual(
      log.map(({ attempt, status_code, error }) => [attempt, status_code, error]),
      [
        [1, 500, 'The endpoint answered 500.'],
        [2, 200, null],
      ],
    );
    assert.equal(log[0]?.response_body, 'out of \ufffd paper'.padEnd(1_024, '.'));
    assert.equal(log[1]?.response_body, 'thanks');
    assert.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id']);
    assert.equal(receiver.received[0]?.body, receiver.received[1]?.body);
  });

  it('fails for good after the eighth attempt', async () => {
    receiver.behave(answer(503));
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    for (let attempt = 1; attempt < 8; attempt++) {
      await attempted(webhook, attempt);
      await kiln.hurry();
    }
    const [delivery] = await settled(webhook);
    assert.deepEqual([delivery?.status, delivery?.attempt, delivery?.next_attempt_at], ['failed', 8, null]);
    assert.equal((await attemptsOf(webhook, delivery?.id ?? '')).length, 8);
    assert.equal(receiver.received.length, 8);
  });

  it('waits as long as Retry-After asks', async () => {
    receiver.behave(answer(429, { 'retry-after': '1800' }));
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    await attempted(webhook, 1);
    const [row] = await kiln.sql<{ seconds: number }>(
      'select extract(epoch from due_at - now())::float as seconds from queued_deliveries',
    );
    assert.ok(row && row.seconds > 1_795 && row.seconds <= 1_980, `${row?.seconds} s`);
  });

  it('does not follow a redirect', async () => {
    receiver.behave(answer(302, { location: receiver.url }));
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const delivery = await attempted(webhook, 1);
    assert.match(delivery.error ?? '', /302; redirects are not followed/);
    assert.equal(receiver.received.length, 1);
  });

  it('to an endpoint that is gone ends at once, switches the webhook off, and says so to the others', async () => {
    receiver.behave(answer(410));
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const [delivery] = await settled(webhook);
    assert.deepEqual([delivery?.status, delivery?.status_code, delivery?.attempt], ['failed', 410, 1]);
    await eventually(() => running.disabled.length > 0);
    const view = await kiln.manage.get({ id: webhook.id }, contextOf(tenantId));
    assert.deepEqual([view.active, view.disabled_reason], [false, 'gone']);
    assert.deepEqual(await kiln.emitted(), ['webhook.disabled']);

    receiver.behave(answer(204));
    const other = await kiln.create(tenantId, receiver.url);
    const data = { webhook_id: webhook.id, url: webhook.url, reason: 'gone', failing_since: null };
    await kiln.happen(fileCompleted(tenantId, { type: 'webhook.disabled', data }));
    const [told] = await settled(other);
    assert.equal(told?.event_type, 'webhook.disabled');
    assert.equal((await deliveriesOf(webhook)).length, 1, 'it is not told itself');
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
    await settled(webhook, 1);
    assert.ok(lastVerifies(webhook.secret));

    const graceful = await kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 3_600 }, contextOf(tenantId));
    await kiln.happen(fileCompleted(tenantId));
    await settled(webhook, 2);
    assert.deepEqual([lastVerifies(webhook.secret), lastVerifies(graceful.secret)], [true, true]);
    assert.ok(graceful.previous_secret_expires_at);

    await kiln.sql(`update webhooks set previous_secret_expires_at = now(), version = version + 1`);
    await kiln.happen(fileCompleted(tenantId));
    await settled(webhook, 3);
    assert.deepEqual([lastVerifies(webhook.secret), lastVerifies(graceful.secret)], [false, true]);

    const sudden = await kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 0 }, contextOf(tenantId));
    await kiln.happen(fileCompleted(tenantId));
    await settled(webhook, 4);
    assert.deepEqual([lastVerifies(graceful.secret), lastVerifies(sudden.secret)], [false, true]);
    assert.equal(sudden.previous_secret_expires_at, null);
  });

  it('is not made for a webhook that is switched off; what it missed is recorded, can be replayed, and a test goes out', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.manage.update({ id: webhook.id, active: false }, contextOf(tenantId));
    await kiln.happen(fileCompleted(tenantId));
    assert.deepEqual(await deliveriesOf(webhook), []);
    const test = await kiln.again.test({ id: webhook.id }, contextOf(tenantId));
    assert.deepEqual([test.event_type, test.status], ['webhook.test', 'pending']);
    await settled(webhook, 1);
    assert.equal((JSON.parse(only(receiver.received).body) as { type: string }).type, 'webhook.test');

    await kiln.manage.update({ id: webhook.id, active: true }, contextOf(tenantId));
    const since = new Date(Date.now() - 60_000).toISOString();
    const recovered = await kiln.again.recover({ id: webhook.id, since }, contextOf(tenantId));
    assert.deepEqual(recovered, { recovered: 1 });
    await kiln.replayWorker.runRound();
    assert.equal((await settled(webhook, 2))[0]?.status, 'delivered');
    assert.deepEqual(await kiln.again.recover({ id: webhook.id, since }, contextOf(tenantId)), { recovered: 0 });
  });

  it('that is queued when its webhook is switched off or deleted is put away without being sent', async () => {
    receiver.behave(answer(500));
    const webhook = await kiln.create(tenantId, receiver.url);
    const gone = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    await Promise.all([attempted(webhook, 1), attempted(gone, 1)]);
    const before = receiver.received.length;
    await kiln.manage.update({ id: webhook.id, active: false }, contextOf(tenantId));
    await kiln.manage.remove({ id: gone.id }, contextOf(tenantId));
    await kiln.hurry();
    assert.equal((await settled(webhook))[0]?.status, 'failed');
    await eventually(async () => (await kiln.sql('select 1 from queued_deliveries')).length === 0);
    assert.equal(receiver.received.length, before);
  });

  it('can be sent again by hand, as a delivery of its own with the same event', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const [first] = await settled(webhook, 1);
    const second = await kiln.again.resend({ id: webhook.id, delivery_id: first?.id ?? '' }, contextOf(tenantId));
    assert.notEqual(second.id, first?.id);
    assert.equal(second.event_id, first?.event_id);
    await settled(webhook, 2);
    const [one, two] = receiver.received;
    assert.deepEqual([one?.headers['webhook-id'], one?.body], [two?.headers['webhook-id'], two?.body]);
    const unknown = { id: webhook.id, delivery_id: encodeId('delivery', uuidv7()) };
    await assert.rejects(kiln.again.resend(unknown, contextOf(tenantId)), { code: 'NOT_FOUND' });
  });

  it('is not sent again by hand while its webhook is not active', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const [first] = await settled(webhook, 1);
    await kiln.manage.update({ id: webhook.id, active: false }, contextOf(tenantId));
    const again = { id: webhook.id, delivery_id: first?.id ?? '' };
    await assert.rejects(kiln.again.resend(again, contextOf(tenantId)), { code: 'CONFLICT', message: /not active/ });
    assert.equal((await deliveriesOf(webhook)).length, 1);
  });

  it('reuses its connection', async () => {
    const webhook = await kiln.create(tenantId, receiver.url);
    const before = receiver.connections;
    for (let count = 1; count <= 5; count++) {
      await kiln.happen(fileCompleted(tenantId));
      await settled(webhook, count);
    }
    assert.ok(receiver.connections - before <= 1, `${receiver.connections - before} connections for 5 deliveries`);
    assert.equal(uuidOf('webhook', webhook.id).length, 36);
  });
});
