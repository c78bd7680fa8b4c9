// Real: Postgres, AES-256-GCM, sockets on loopback. Faked: nothing. A lost encryption key is simulated by a value that another key has
// sealed.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf } from '@kiln/contracts';
import { Sealer } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { databaseTime, secondsUntilDue } from '../test/delivery-views.js';
import { startReceiver, type Receiver } from '../test/receiver.js';
import { contextOf, fileCompleted, only, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';

const lostKey = new Sealer(randomBytes(32).toString('base64'));

describe('a webhook whose sealed values do not open', () => {
  let kiln: WebhooksHarness;
  let receiver: Receiver;
  beforeAll(async () => {
    kiln = await startWebhooks();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await kiln.clear();
    receiver.received.length = 0;
  });
  afterAll(async () => {
    await receiver.close();
    await kiln.close();
  });

  const view = (tenantId: string, id: string) => kiln.manage.get({ id }, contextOf(tenantId));
  const deliveriesOf = async (tenantId: string, id: string) =>
    (await kiln.read.list({ id, limit: 50 }, contextOf(tenantId))).deliveries;
  async function breakColumn(tenantId: string, id: string, column: 'secret' | 'headers'): Promise<void> {
    const rowId = uuidOf('webhook', id);
    await kiln.sql(`update webhooks set ${column} = $2, version = version + 1 where id = $1`, [
      rowId,
      lostKey.seal('{}', { tenantId, rowId, name: column }),
    ]);
  }

  it('fails its own delivery with a reason, and those of other tenants in the same claim go out', async () => {
    const [broken, other] = [uuidv7(), uuidv7()];
    const poisoned = await kiln.create(broken, receiver.url);
    const healthy = await kiln.create(other, receiver.url);
    await breakColumn(broken, poisoned.id, 'secret');
    const before = await databaseTime(kiln);
    await kiln.happen(fileCompleted(broken));
    await kiln.happen(fileCompleted(other));
    const worker = kiln.newWorker();
    try {
      await eventually(() => worker.finished.length === 2);
    } finally {
      await worker.stop();
    }
    expect(only(await deliveriesOf(other, healthy.id)).status).toBe('delivered');
    expect(receiver.received).toHaveLength(1);
    const delivery = only(await deliveriesOf(broken, poisoned.id));
    expect([delivery.status, delivery.attempt, delivery.status_code]).toStrictEqual(['pending', 1, null]);
    expect(delivery.error ?? '').toMatch(/signing secret.*cannot be decrypted/);
    expect(await kiln.sql('select failures from queued_deliveries')).toStrictEqual([{ failures: 1 }]);
    const due = await secondsUntilDue(kiln, before);
    expect(due.fromBefore).toBeGreaterThan(3);
    expect(due.fromNow).toBeLessThanOrEqual(5.5);
    const shown = await view(broken, poisoned.id);
    expect(shown.failing_since).toBeTruthy();
    expect(shown.last_error).toBe(delivery.error);
    expect([(await view(other, healthy.id)).failing_since, (await view(other, healthy.id)).last_error]).toStrictEqual([
      null,
      null,
    ]);
  });

  it('or whose URL cannot be read fails its own delivery with a reason', async () => {
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, receiver.url);
    await kiln.sql(`update webhooks set url = 'nonsense', version = version + 1`);
    await kiln.happen(fileCompleted(tenantId));
    const worker = kiln.newWorker();
    try {
      await eventually(() => worker.finished.length === 1);
    } finally {
      await worker.stop();
    }
    expect(only(await deliveriesOf(tenantId, webhook.id)).error ?? '').toMatch(/URL of this webhook cannot be read/);
  });

  /** The worker stops before the next attempt is due. */
  async function firstFails(): Promise<void> {
    const worker = kiln.newWorker();
    await eventually(() => worker.finished.length > 0);
    await worker.stop();
    expect(worker.finished).toStrictEqual(['retry']);
  }

  it('delivers again once its owner has rotated the secret, whatever the grace period', async () => {
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, receiver.url);
    await breakColumn(tenantId, webhook.id, 'secret');
    await kiln.happen(fileCompleted(tenantId));
    await firstFails();
    const { secret } = await kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 600 }, contextOf(tenantId));
    await kiln.hurry();
    const worker = kiln.newWorker();
    try {
      await eventually(() => worker.finished.length === 1);
      expect(worker.finished).toStrictEqual(['delivered']);
      const { headers, body } = only(receiver.received);
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toStrictEqual(JSON.parse(body));
      expect((await view(tenantId, webhook.id)).last_error).toBeNull();
    } finally {
      await worker.stop();
    }
  });

  it('delivers again once its owner has set the headers that did not open', async () => {
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, receiver.url, { headers: { 'X-A': 'b' } });
    await breakColumn(tenantId, webhook.id, 'headers');
    await kiln.happen(fileCompleted(tenantId));
    await firstFails();
    expect((await view(tenantId, webhook.id)).last_error ?? '').toMatch(/custom headers.*cannot be decrypted/);
    await kiln.manage.update({ id: webhook.id, headers: { 'X-A': 'c' } }, contextOf(tenantId));
    await kiln.hurry();
    const worker = kiln.newWorker();
    try {
      await eventually(() => worker.finished.length === 1);
      expect(only(receiver.received).headers['x-a']).toBe('c');
    } finally {
      await worker.stop();
    }
  });
});
