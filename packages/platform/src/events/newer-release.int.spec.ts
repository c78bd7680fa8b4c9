// Real: Postgres, NATS with JetStream. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { event, type EventDefinition } from '@kiln/contracts';
import { eventually, testNamespace } from '@kiln/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { eventStream, eventSubject } from '../bus/names.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { DeadLetters } from './dead-letters.js';
import { envelopeOf } from './envelope.js';
import { EventConsumer, type EventConsumerOptions } from './event-consumer.js';
import { FailedEvents } from './failed-events.js';
import { newEvent } from './new-event.js';

const tenantId = uuidv7();
const HOUR_MS = 3_600_000;

/** One event as two releases define it. The newer one has another value of an enum, and a further field. */
function define() {
  const type = `sample.${testNamespace()}`;
  const state = z.enum(['open', 'closed']);
  const newerState = z.enum(['open', 'closed', 'sealed']);
  return {
    older: event({ type, owner: 'sample', data: z.object({ state }) }),
    newer: event({ type, owner: 'sample', data: z.object({ state: newerState, reason: z.string() }) }),
  };
}

describe('while a newer release already sends events, a consumer of the older one', () => {
  let platform: TestPlatform;
  let deadLetters: DeadLetters;
  const consumers: EventConsumer[] = [];
  beforeAll(async () => {
    platform = await startTestPlatform();
    deadLetters = new DeadLetters(platform.connection, platform.namespace);
  });
  afterEach(() => Promise.all(consumers.splice(0).map((consumer) => consumer.stop())));
  afterAll(() => platform.stop());

  async function consume(
    definition: EventDefinition,
    pauses: Pick<EventConsumerOptions, 'pausesMs' | 'unreadablePausesMs'> = {},
    before: () => void = () => undefined,
  ) {
    const seen: string[] = [];
    const options = { ...platform, service: 'sample', deadLetters, ...pauses };
    const consumer = new EventConsumer(options, definition, async (events) => {
      before();
      seen.push(...events.map(({ data }) => (data as { state: string }).state));
    });
    await consumer.start();
    consumers.push(consumer);
    return { seen, consumer };
  }
  async function publish(definition: EventDefinition, data: object) {
    const id = uuidv7();
    const envelope = envelopeOf(newEvent({ definition, tenantId, subject: 'sample_1', data }), id);
    await jetstream(platform.connection).publish(eventSubject(platform.namespace, definition.type), envelope, {
      msgID: id,
      timeout: 120_000,
    });
  }
  const returned = async ({ name }: EventConsumer) => {
    const manager = await jetstreamManager(platform.connection);
    const info = await manager.consumers.info(eventStream(platform.namespace), name);
    return { redelivered: info.num_redelivered, pending: info.num_ack_pending };
  };

  it('handles events with new fields, and returns those with a new value of an enum, which the newer release handles', async () => {
    const { older, newer } = define();
    const first = await consume(older, { unreadablePausesMs: Array.from({ length: 1_000 }, () => 50) });
    await publish(newer, { state: 'sealed', reason: 'new' });
    await publish(newer, { state: 'open', reason: 'new' });
    await eventually(() => expect(first.seen).toStrictEqual(['open']));
    await eventually(async () => expect(await returned(first.consumer)).toStrictEqual({ redelivered: 1, pending: 1 }));
    await first.consumer.stop();
    const second = await consume(newer);
    // nats-server 2.9 can deliver the last event again when a consumer stops: https://github.com/nats-io/nats-server/pull/5305
    await eventually(() => expect(second.seen).toContain('sealed'));
    expect(await deadLetters.list({ limit: 10 })).toStrictEqual([]);
  });

  it('leaves them the usual attempts in the newer release, however often it has returned them', async () => {
    const { older, newer } = define();
    const pausesMs = [20, 20];
    const first = await consume(older, { unreadablePausesMs: Array.from({ length: 1_000 }, () => 100) });
    await publish(newer, { state: 'sealed', reason: 'new' });
    const deliveries = async () => {
      const manager = await jetstreamManager(platform.connection);
      const info = await manager.consumers.info(eventStream(platform.namespace), first.consumer.name);
      return info.delivered.consumer_seq;
    };
    await eventually(async () => expect(await deliveries()).toBeGreaterThan(pausesMs.length + 2));
    await first.consumer.stop();
    let failures = 0;
    const second = await consume(newer, { pausesMs }, () => {
      if (failures < pausesMs.length) throw new Error(`failure ${++failures}`);
    });
    await eventually(() => expect(second.seen).toStrictEqual(['sealed']));
    expect(failures).toBe(pausesMs.length);
    expect(await deadLetters.list({ limit: 10 })).toStrictEqual([]);
  });

  it('goes on with the readable ones while more than 10,000 others wait', async () => {
    const { older, newer } = define();
    const first = await consume(older, { unreadablePausesMs: [HOUR_MS] });
    const other = { state: 'sealed', reason: 'new' };
    const sent = Array.from({ length: 10_100 }, () => publish(newer, other));
    await Promise.all(sent);
    await publish(newer, { state: 'open', reason: 'new' });
    await eventually(() => expect(first.seen).toStrictEqual(['open']), { timeoutMs: 120_000 });
    await eventually(async () => expect((await returned(first.consumer)).pending).toBe(sent.length));
  });

  it('does not receive events of a new type, which the newer release handles from the first one on', async () => {
    const { older, newer } = define();
    const { newer: added } = define();
    const first = await consume(older);
    await publish(added, { state: 'sealed', reason: 'new' });
    await publish(newer, { state: 'closed', reason: 'new' });
    await eventually(() => expect(first.seen).toStrictEqual(['closed']));
    const second = await consume(added);
    await eventually(() => expect(second.seen).toStrictEqual(['sealed']));
    expect(await deadLetters.list({ limit: 10 })).toStrictEqual([]);
  });
});

describe('an event that cannot be read', () => {
  it('waits for an hour in all before it becomes a dead letter', async () => {
    const kept: string[] = [];
    const add = async ({ eventId }: { eventId: string }) => void kept.push(eventId);
    const quiet = { warn: () => undefined, error: () => undefined };
    const metrics = { eventsConsumed: { add: () => undefined } };
    const options = { deadLetters: { add }, logger: quiet, metrics } as unknown as ConstructorParameters<
      typeof FailedEvents
    >[0];
    const failures = new FailedEvents(options, 'sample-event', 'sample.event');
    let waitedMs = 0;
    const progress = { isTerminated: false };
    for (let deliveryCount = 1; !progress.isTerminated; deliveryCount++) {
      const message = {
        seq: 7,
        info: { deliveryCount },
        string: () => '',
        nak: (pauseMs: number) => void (waitedMs += pauseMs),
        term: () => void (progress.isTerminated = true),
      };
      await failures.handleUnreadable(message as never, new Error('unknown value'));
    }
    expect(waitedMs).toBeGreaterThanOrEqual(HOUR_MS);
    expect(waitedMs).toBeLessThan(HOUR_MS * 1.1);
    expect(kept).toStrictEqual(['sample.event:7']);
  });
});
