// Real: Postgres, sockets on loopback. A crash is simulated by an omitted step: the rows are what a dead process would have left.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, openCuttable } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import type { ClaimedDelivery } from './claim.store.js';
import type { Outcome, Verdict } from './outcome.store.js';
import { webhookStore } from '../test/test-worker.js';
import { answer, startReceiver, type Receiver } from '../test/receiver.js';
import {
  contextOf,
  fileCompleted,
  only,
  openDatabase,
  startWebhooks,
  type WebhooksHarness,
} from '../test/webhooks-harness.js';

function outcomeOf(claimed: ClaimedDelivery, verdict: Verdict = 'delivered'): Outcome {
  return {
    tenant_id: claimed.tenant_id,
    webhook_id: claimed.webhook_id,
    delivery_id: claimed.id,
    attempt: claimed.attempt,
    verdict,
    attempted: true,
    attempted_at_ms: Date.now(),
    status_code: 200,
    duration_ms: 1,
    response_body: '',
    ...(verdict === 'retry' && { retry_in_ms: 60_000 }),
  };
}

describe('a crash', () => {
  let kiln: WebhooksHarness;
  let receiver: Receiver;
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startWebhooks();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await kiln.clear();
    receiver.received.length = 0;
    receiver.behave(answer(204));
  });
  afterAll(async () => {
    await receiver.close();
    await kiln.close();
  });

  const leaseEnds = () =>
    kiln.sql(
      `update queued_deliveries set lease_expires_at = now() - interval '1 minute' where lease_expires_at > now()`,
    );
  const logOf = (deliveryId: string) =>
    kiln.sql<{ attempt: number; error: string | null }>(
      'select attempt, error from delivery_attempts where delivery_id = $1 order by attempt',
      [deliveryId],
    );
  const finishedRows = () =>
    kiln.sql<{ id: string; status: string; attempt: number }>('select * from finished_deliveries');

  it('before the fan-out commits leaves nothing; after it, nothing is missing and nothing is recorded twice', async () => {
    await kiln.create(tenantId, receiver.url);
    const event = fileCompleted(tenantId);
    // There is no partition for so old an event, so a part of the statement fails. Nothing of it is written, as when the process dies.
    await expect(kiln.happen(event, fileCompleted(tenantId, { time: '2020-01-01T00:00:00Z' }))).rejects.toThrow(
      /partition/,
    );
    expect(await kiln.sql('select 1 from webhook_events')).toHaveLength(0);
    expect(await kiln.claimAll()).toHaveLength(0);
    // The event is committed. The wake-up and the acknowledgement are lost: there is no subscriber, and the broker redelivers the event.
    await kiln.happen(event);
    await kiln.happen(event, event);
    expect(await kiln.sql('select 1 from webhook_events')).toHaveLength(1);
    expect(await kiln.claimAll()).toHaveLength(1);
    await kiln.happen(event);
    expect(await kiln.claimAll()).toStrictEqual([]);
  });

  it('between claim and outcome gives the delivery to the next worker once the lease is over, and logs the lost attempt', async () => {
    await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const lost = only(await kiln.claimAll());
    // The delivery is leased.
    expect(await kiln.claimAll()).toStrictEqual([]);
    await leaseEnds();
    await kiln.endpoints.restore();
    const again = only(await kiln.claimAll());
    expect([again.id, again.attempt, again.failures]).toStrictEqual([lost.id, 2, 0]);
    expect((await logOf(lost.id)).map(({ attempt, error }) => [attempt, /not known/.test(error ?? '')])).toStrictEqual([
      [1, true],
    ]);
    const { overtaken } = await kiln.outcomes.record([outcomeOf(again)]);
    expect(overtaken.size).toBe(0);
    expect((await finishedRows()).map(({ status, attempt }) => [status, attempt])).toStrictEqual([['delivered', 2]]);
  });

  it('of one who only seemed dead: the outcome of an overtaken attempt changes nothing', async () => {
    await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const slow = only(await kiln.claimAll());
    await leaseEnds();
    await kiln.endpoints.restore();
    const next = only(await kiln.claimAll());
    const effective: string[] = [];
    for (const verdict of ['delivered', 'failed', 'retry', 'again'] as const) {
      const { overtaken } = await kiln.outcomes.record([outcomeOf(slow, verdict)]);
      if (!overtaken.has(slow.id)) effective.push(verdict);
    }
    expect(effective).toStrictEqual([]);
    expect(await finishedRows()).toHaveLength(0);
    expect((await kiln.outcomes.record([outcomeOf(next)])).overtaken.size).toBe(0);
    // An outcome counts once.
    expect((await kiln.outcomes.record([outcomeOf(next)])).overtaken.size).toBe(1);
    expect(await finishedRows()).toHaveLength(1);
  });

  it('after a retry was planned loses neither the plan nor the place in the queue', async () => {
    await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    await kiln.outcomes.record([outcomeOf(only(await kiln.claimAll()), 'retry')]);
    expect(await kiln.claimAll()).toStrictEqual([]);
    await kiln.hurry();
    const again = only(await kiln.claimAll());
    expect([again.attempt, again.failures]).toStrictEqual([2, 1]);
  });

  it('in the middle of a replay goes on where it was and queues nothing twice', async () => {
    const webhook = await kiln.create(tenantId, receiver.url, { events: ['*'] });
    await kiln.manage.update({ id: webhook.id, active: false }, contextOf(tenantId));
    for (let index = 0; index < 30; index++) await kiln.happen(fileCompleted(tenantId));
    await kiln.manage.update({ id: webhook.id, active: true }, contextOf(tenantId));
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect(await kiln.replaying.replay({ id: webhook.id, since }, contextOf(tenantId))).toStrictEqual({
      replayed: 30,
      skipped: 0,
    });
    // Records a batch of ten deliveries. `dies` rolls it back, as the death of its process would.
    const batch = async (dies: boolean) =>
      kiln.database.transaction(async (transaction) => {
        const replay = await kiln.replays.take(transaction, 1_000, []);
        if (!replay) throw new Error('no replay');
        const { chosen, position } = await kiln.replays.nextBatch(transaction, replay, 10);
        const queued = chosen.map(({ id, type }) => ({ id: uuidv7(), eventId: id, eventType: type }));
        await kiln.deliveries.enqueue(transaction, tenantId, replay.webhook_id, queued);
        await kiln.replays.advance(transaction, replay, position);
        if (dies) throw new Error('killed');
      });
    await batch(false);
    await expect(batch(true)).rejects.toThrow(/killed/);
    await kiln.replayWorker.runRound();
    const rows = await kiln.sql<{ event_id: string }>('select event_id from queued_deliveries');
    expect(rows).toHaveLength(30);
    expect(new Set(rows.map((row) => row.event_id)).size).toBe(30);
    expect(await kiln.sql('select 1 from replays')).toHaveLength(0);
  });

  it('a worker that stops releases hanging deliveries, which are sent again at once and do not count as failed', async () => {
    receiver.behave(() => {});
    await kiln.create(tenantId, receiver.url);
    const running = kiln.newWorker();
    await kiln.happen(fileCompleted(tenantId));
    await eventually(() => receiver.received.length > 0);
    await running.stop();
    expect(running.finished).toStrictEqual(['again']);
    receiver.behave(answer(204));
    const next = kiln.newWorker();
    try {
      await eventually(() => next.finished.length > 0);
      expect((await finishedRows()).map(({ status, attempt }) => [status, attempt])).toStrictEqual([['delivered', 2]]);
    } finally {
      await next.stop();
    }
  });

  it('a worker that stops says when it has released deliveries, which are sent before later ones', async () => {
    const HOUR_MS = 3_600_000;
    receiver.behave(() => {});
    await kiln.create(tenantId, receiver.url);
    const running = kiln.newWorker({ perEndpoint: 1, pollMs: HOUR_MS });
    const [first, second] = [fileCompleted(tenantId), fileCompleted(tenantId)];
    await kiln.happen(first);
    await eventually(() => receiver.received.length === 1);
    const other = kiln.newWorker({ perEndpoint: 1, pollMs: HOUR_MS });
    let releases = 0;
    running.worker.whenReleased(() => {
      releases++;
      other.worker.wakeUp();
    });
    try {
      await running.stop();
      expect(releases).toBe(1);
      await eventually(() => receiver.received.length === 2);
      expect(other.finished).toStrictEqual([]);
      await kiln.happen(second);
      await other.stop();
      receiver.behave(answer(204));
      const last = kiln.newWorker({ perEndpoint: 1 });
      await eventually(() => last.finished.length === 2);
      await last.stop();
      const sent = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(sent[3]).not.toBe(sent[2]);
      expect(sent.slice(0, 3)).toStrictEqual([sent[0], sent[0], sent[0]]);
    } finally {
      await other.stop();
    }
  });

  it('of the database while the webhooks of a claim are read returns its deliveries to the queue, and no attempt is logged but the one that is sent', async () => {
    await kiln.create(tenantId, receiver.url);
    const webhooks = webhookStore(kiln.database);
    const read = webhooks.endpoints.bind(webhooks);
    let failures = 0;
    webhooks.endpoints = (refs) => (failures++ === 0 ? Promise.reject(new Error('cut off')) : read(refs));
    const running = kiln.newWorker({ webhooks });
    try {
      await kiln.happen(fileCompleted(tenantId));
      await eventually(() => running.finished.length === 2);
    } finally {
      await running.stop();
    }
    expect([running.finished, receiver.received.length]).toStrictEqual([['again', 'delivered'], 1]);
    const { id } = only(await finishedRows());
    expect(await logOf(id)).toStrictEqual([{ attempt: 2, error: null }]);
  });

  it('of the database while outcomes are to be written keeps them until it is back', async () => {
    await kiln.create(tenantId, receiver.url);
    const way = await openCuttable(kiln.databaseUrl);
    const database = await openDatabase(way.url);
    const running = kiln.newWorker({ database });
    try {
      receiver.behave((response) => {
        way.cut();
        response.writeHead(204).end();
      });
      await kiln.happen(fileCompleted(tenantId));
      await eventually(() => receiver.received.length > 0);
      way.mend();
      await eventually(() => running.finished.length > 0);
      expect(running.finished).toStrictEqual(['delivered']);
      expect(receiver.received).toHaveLength(1);
    } finally {
      await running.stop();
      await database.close();
      await way.close();
    }
  });
});
