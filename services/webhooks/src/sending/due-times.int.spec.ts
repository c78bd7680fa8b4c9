// Real: Postgres, sockets on loopback, the workers. Faked: nothing. The polls have an interval of an hour, except in tests about polls.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { ClaimStore } from './claim.store.js';
import { ReplayEntity } from '../replays/replay.entity.js';
import { ReplayStore } from '../replays/replay.store.js';
import { answer, startReceiver, type Receiver } from '../test/receiver.js';
import { silentLogger } from '../test/test-worker.js';
import { contextOf, fileCompleted, only, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';
import { ReplayWorker } from '../replays/replay.worker.js';

const HOUR_MS = 3_600_000;
const POLL_MS = 200;

/** Counts how often a worker has looked for a replay and could not continue one. */
class WatchedReplays extends ReplayStore {
  looks = 0;

  override isAny(): Promise<boolean> {
    this.looks++;
    return super.isAny();
  }
}

describe('a delivery that becomes due', () => {
  let kiln: WebhooksHarness;
  let receiver: Receiver;
  let stop = async () => {};
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startWebhooks();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await stop();
    await kiln.clear();
    receiver.received.length = 0;
    receiver.behave(answer(204));
  });
  afterAll(async () => {
    await receiver.close();
    await kiln.close();
  });

  const startWorker = (pollMs: number) => ({ stop } = kiln.newWorker({ pollMs }));
  const startReplays = (pollMs: number) => {
    const { database, deliveries } = kiln;
    const replays = new WatchedReplays(database, database.dataSource.getRepository(ReplayEntity));
    const sender = { wakeUp: () => undefined };
    const worker = new ReplayWorker(database, replays, deliveries, sender, silentLogger, pollMs);
    stop = () => worker.stop();
    worker.start();
    return replays;
  };
  const received = (count: number) => eventually(() => expect(receiver.received).toHaveLength(count));
  const newReplay = async () => {
    const { id } = await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    const since = new Date(Date.now() - 60_000).toISOString();
    await kiln.replaying.replay({ id, since }, contextOf(tenantId));
    return { tenantId, webhookId: uuidOf('webhook', id) };
  };
  const replaysEnd = () => eventually(async () => (await kiln.sql('select 1 from replays')).length === 0);

  it('after a failure is made again at its time, without a poll in between', async () => {
    await kiln.create(tenantId, receiver.url);
    receiver.behave((...given) => answer(receiver.received.length === 1 ? 500 : 204)(...given));
    startWorker(HOUR_MS);
    await kiln.happen(fileCompleted(tenantId));
    await received(2);
    const [log] = await eventually(async () => {
      const rows = await kiln.sql<{ seconds: number }>(
        `select extract(epoch from max(attempted_at) - min(attempted_at))::float8 as seconds from delivery_attempts having count(*) = 2`,
      );
      expect(rows).toHaveLength(1);
      return rows;
    });
    // The first pause is five seconds, with jitter.
    expect(log?.seconds).toBeGreaterThanOrEqual(4.4);
  });

  it('when the lease of a dead worker ends is made at that time, without a poll in between', async () => {
    await kiln.create(tenantId, receiver.url);
    await kiln.happen(fileCompleted(tenantId));
    only((await new ClaimStore(kiln.database, 2).claim(kiln.limits)).deliveries);
    startWorker(HOUR_MS);
    await received(1);
  });

  it('and whose wake-up was lost is made after the next poll', async () => {
    const { id } = await kiln.create(tenantId, receiver.url);
    startWorker(POLL_MS);
    await kiln.happen(fileCompleted(tenantId));
    await received(1);
    const [event] = await kiln.sql<{ id: string; type: string }>('select id, type from webhook_events');
    if (!event) throw new Error('no event');
    const webhookId = uuidOf('webhook', id);
    const queued = [{ id: uuidv7(), eventId: event.id, eventType: event.type }];
    await kiln.deliveries.enqueue(kiln.database, tenantId, webhookId, queued);
    await received(2);
  });

  it('by a replay whose wake-up was lost is queued after the next poll', async () => {
    startReplays(POLL_MS);
    await newReplay();
    await replaysEnd();
  });

  it('by a replay that waits for what is ahead of it is queued soon after, without a poll in between', async () => {
    const { webhookId } = await newReplay();
    await kiln.sql(
      `insert into queued_deliveries (tenant_id, webhook_id, id, event_id, event_type)
       select $1, $2, gen_random_uuid(), gen_random_uuid(), 'ahead' from generate_series(1, 1000)`,
      [tenantId, webhookId],
    );
    const replays = startReplays(HOUR_MS);
    await eventually(() => replays.looks > 0);
    await kiln.sql(`delete from queued_deliveries where event_type = 'ahead'`);
    await replaysEnd();
  });
});
