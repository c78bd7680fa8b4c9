// Real: Postgres, sockets on loopback. A crash is played by leaving a step undone: what a dead process would have left behind.
import { eventually, openCuttable } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { ClaimedDelivery } from '../store/claim.store.js';
import type { Outcome, Verdict } from '../store/outcome.store.js';
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
  before(async () => {
    kiln = await startWebhooks();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await kiln.clear();
    receiver.received.length = 0;
    receiver.behave(answer(204));
  });
  after(async () => {
    await receiver.close();
    await kiln.close();
  });

  const leaseEnds = () => kiln.sql(`update queued_deliveries set leased_until = now() where leased_until > now()`);
  const logOf = (deliveryId: string) =>
    kiln.sql<{ attempt: number; error: string | null }>(
      'select attempt, error from delivery_attempts where delivery_id = $1 order by attempt',
      [deliveryId],
    );
  const settledRows = () =>
    kiln.sql<{ id: string; status: string; attempt: number }>('select * from settled_deliveries');

  it('before the fan-out commits leaves nothing; after it, nothing is missing', async () => {
    await kiln.create(tenantId, receiver.url);
    const failing = kiln.happen(fileCompleted(tenantId), () => {
      throw new Error('killed');
    });
    await assert.rejects(failing, /killed/);
    assert.equal((await kiln.sql('select 1 from webhook_events')).length, 0);
    assert.equal((await kiln.claimAll()).length, 0);
    // Committed, and the wake-up lost: nobody listens.
    await kiln.happen(fileCompleted(tenantId));
    assert.equal((await kiln.claimAll()).length, 1);
  });

  it('between claim and outcome gives the delivery to the next worker once the lease is over, and logs the lost attempt', async () => {
    await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const lost = only(await kiln.claimAll());
    assert.deepEqual(await kiln.claimAll(), [], 'leased');
    await leaseEnds();
    await kiln.endpoints.restore();
    const again = only(await kiln.claimAll());
    assert.deepEqual([again.id, again.attempt, again.failures], [lost.id, 2, 0]);
    assert.deepEqual(
      (await logOf(lost.id)).map(({ attempt, error }) => [attempt, /not known/.test(error ?? '')]),
      [[1, true]],
    );
    const { overtaken } = await kiln.outcomes.settle([outcomeOf(again)]);
    assert.equal(overtaken.size, 0);
    assert.deepEqual(
      (await settledRows()).map(({ status, attempt }) => [status, attempt]),
      [['delivered', 2]],
    );
  });

  it('of one who only seemed dead: the outcome of an overtaken attempt changes nothing', async () => {
    await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const slow = only(await kiln.claimAll());
    await leaseEnds();
    await kiln.endpoints.restore();
    const next = only(await kiln.claimAll());
    for (const verdict of ['delivered', 'failed', 'retry', 'again'] as const) {
      const { overtaken } = await kiln.outcomes.settle([outcomeOf(slow, verdict)]);
      assert.deepEqual([...overtaken], [slow.id], verdict);
    }
    assert.equal((await settledRows()).length, 0);
    assert.equal((await kiln.outcomes.settle([outcomeOf(next)])).overtaken.size, 0);
    assert.equal((await kiln.outcomes.settle([outcomeOf(next)])).overtaken.size, 1, 'and an outcome counts once');
    assert.equal((await settledRows()).length, 1);
  });

  it('after a retry was planned loses neither the plan nor the place in the queue', async () => {
    await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    await kiln.outcomes.settle([outcomeOf(only(await kiln.claimAll()), 'retry')]);
    assert.deepEqual(await kiln.claimAll(), []);
    await kiln.hurry();
    const again = only(await kiln.claimAll());
    assert.deepEqual([again.attempt, again.failures], [2, 1]);
  });

  it('in the middle of a replay goes on where it was and queues nothing twice', async () => {
    const webhook = await kiln.create(tenantId, receiver.url, { events: ['*'] });
    await kiln.manage.update({ id: webhook.id, active: false }, contextOf(tenantId));
    for (let index = 0; index < 30; index++) await kiln.happen(fileCompleted(tenantId));
    await kiln.manage.update({ id: webhook.id, active: true }, contextOf(tenantId));
    const since = new Date(Date.now() - 60_000).toISOString();
    assert.deepEqual(await kiln.again.replay({ id: webhook.id, since }, contextOf(tenantId)), {
      replayed: 30,
      skipped: 0,
    });
    // One batch of ten, committed; another, rolled back by the death of its process.
    const batch = async (dies: boolean) =>
      kiln.database.transaction(async (transaction) => {
        const replay = await kiln.replays.take(transaction, 1_000, []);
        assert.ok(replay);
        const { chosen, position } = await kiln.replays.nextPage(transaction, replay, 10);
        const queued = chosen.map(({ id, type }) => ({ id: uuidv7(), eventId: id, eventType: type }));
        await kiln.deliveries.enqueue(transaction, tenantId, replay.webhook_id, queued);
        await kiln.endpoints.join(transaction, tenantId, [{ id: replay.webhook_id, failing: false }]);
        await kiln.replays.advance(transaction, replay, position);
        if (dies) throw new Error('killed');
      });
    await batch(false);
    await assert.rejects(batch(true), /killed/);
    await kiln.replayWorker.runRound();
    const rows = await kiln.sql<{ event_id: string }>('select event_id from queued_deliveries');
    assert.equal(rows.length, 30);
    assert.equal(new Set(rows.map((row) => row.event_id)).size, 30);
    assert.equal((await kiln.sql('select 1 from replays')).length, 0);
  });

  it('a worker that is told to stop gives back what hangs, to be sent again at once and not as a failure', async () => {
    receiver.behave(() => {});
    await kiln.create(tenantId, receiver.url);
    const running = kiln.newWorker({ deadlineMs: 15_000 });
    await kiln.happen(fileCompleted(tenantId));
    await eventually(() => receiver.received.length > 0);
    await running.stop();
    assert.deepEqual(running.settled, ['again']);
    receiver.behave(answer(204));
    const next = kiln.newWorker();
    try {
      await eventually(() => next.settled.length > 0);
      assert.deepEqual(
        (await settledRows()).map(({ status, attempt }) => [status, attempt]),
        [['delivered', 2]],
      );
    } finally {
      await next.stop();
    }
  });

  it('of the database while outcomes are to be written keeps them until it is back', async () => {
    await kiln.create(tenantId, receiver.url);
    const way = await openCuttable(kiln.databaseUrl);
    const database = openDatabase(way.url);
    const running = kiln.newWorker({ database });
    try {
      receiver.behave((response) => void way.cut().then(() => response.writeHead(204).end()));
      await kiln.happen(fileCompleted(tenantId));
      await eventually(() => receiver.received.length > 0);
      await way.mend();
      await eventually(() => running.settled.length > 0);
      assert.deepEqual(running.settled, ['delivered']);
      assert.equal(receiver.received.length, 1);
    } finally {
      await running.stop();
      await database.close();
      await way.cut();
    }
  });
});
