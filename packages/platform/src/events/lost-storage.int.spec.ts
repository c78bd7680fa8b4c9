// Real: Postgres, a NATS server with JetStream whose storage is removed. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startOwnNats, type OwnNats } from '@kiln/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { EventPublisher } from '../bus/event-publisher.js';
import { consumerName, deadLetterStream, eventStream } from '../bus/names.js';
import { defineSample, nameOf, sampleEvent, type SampleDefinition } from '../fixtures/sample-events.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import type { Logger } from '../observability/logger.js';
import { DeadLetters } from './dead-letters.js';
import { EventConsumer } from './event-consumer.js';
import { exactlyOnce } from './inbox.js';
import { appendEvents } from './outbox.js';
import { OutboxRelay } from './relay.js';

const RECOVERY_MS = 60_000;

describe('when the broker has lost its storage', () => {
  let nats: OwnNats;
  let platform: TestPlatform;
  beforeAll(async () => {
    nats = await startOwnNats();
    platform = await startTestPlatform(nats.url);
  });
  afterAll(async () => {
    await platform.stop();
    await nats.stop();
  });

  async function consume(definition: SampleDefinition) {
    const seen: string[] = [];
    const handle = exactlyOnce(platform.database, consumerName('sample', definition.type), async (received) => {
      seen.push(nameOf(received));
    });
    const deadLetters = new DeadLetters(platform.connection, platform.namespace);
    const consumer = new EventConsumer({ ...platform, deadLetters }, definition, handle);
    await consumer.start();
    return { consumer, seen };
  }
  const emit = (definition: SampleDefinition, name: string) =>
    appendEvents(platform.database, [sampleEvent(definition, name)]);
  const streams = async () => {
    const manager = await jetstreamManager(platform.connection);
    const names = [eventStream(platform.namespace), deadLetterStream(platform.namespace)];
    return Promise.all(names.map((name) => manager.streams.info(name).then(({ config }) => config.name)));
  };

  it('streams and consumers are made again without a restart, and new events arrive', async () => {
    const definition = defineSample();
    const { consumer, seen } = await consume(definition);
    const relay = new OutboxRelay(platform);
    relay.start();
    await emit(definition, 'before');
    await eventually(() => expect(seen).toStrictEqual(['before']));
    await nats.loseStorage();
    await emit(definition, 'after');
    await eventually(() => expect(seen).toStrictEqual(['before', 'after']), { timeoutMs: RECOVERY_MS });
    expect(await streams()).toHaveLength(2);
    await eventually(() => expect([consumer.standsStill, relay.standsStill]).toStrictEqual([false, false]));
    await consumer.stop();
    await relay.stop();
  });

  it('a consumer that is stopped while it is made again receives nothing more', async () => {
    const definition = defineSample();
    const handled: string[] = [];
    const deadLetters = new DeadLetters(platform.connection, platform.namespace);
    const stops: Promise<void>[] = [];
    const warn = () => void stops.push(consumer.stop());
    const logger = { ...platform.logger, warn } as unknown as Logger;
    const consumer = new EventConsumer({ ...platform, logger, deadLetters }, definition, async (events) => {
      handled.push(...events.map(nameOf));
    });
    await consumer.start();
    const manager = await jetstreamManager(platform.connection);
    const stream = eventStream(platform.namespace);
    await manager.consumers.delete(stream, consumer.name);
    await eventually(() => expect(stops).toHaveLength(1));
    await Promise.all(stops);
    const publisher = new EventPublisher(platform);
    const late = sampleEvent(definition, 'late');
    // The broker may send it those that are published before it has stopped.
    await eventually(async () => {
      const deliveries = new Set<number>();
      for (let event = 0; event < 20; event++) {
        await publisher.publish(late);
        const { delivered } = await manager.consumers.info(stream, consumer.name);
        deliveries.add(delivered.consumer_seq);
      }
      expect(deliveries.size).toBe(1);
    });
    expect(handled).toStrictEqual([]);
  });

  it('a publisher without an outbox makes the streams again, and says so until then', async () => {
    await nats.loseStorage();
    const publisher = new EventPublisher(platform);
    const lost = sampleEvent(defineSample(), 'lost');
    let stoodStill = false;
    const publish = () =>
      publisher.publish(lost).catch((error: unknown) => {
        stoodStill = publisher.standsStill;
        throw error;
      });
    await eventually(publish, { timeoutMs: RECOVERY_MS });
    expect(stoodStill).toBe(true);
    expect(publisher.standsStill).toBe(false);
  });

  it('a relay without consumers makes the streams again', async () => {
    await nats.loseStorage();
    const relay = new OutboxRelay(platform);
    relay.start();
    await emit(defineSample(), 'unheard');
    await eventually(async () => expect(await streams()).toHaveLength(2), { timeoutMs: RECOVERY_MS });
    await eventually(() => expect(relay.standsStill).toBe(false), { timeoutMs: RECOVERY_MS });
    await relay.stop();
  });
});
