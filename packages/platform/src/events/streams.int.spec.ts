// Real: Postgres, NATS with JetStream. Faked: nothing.
import { event, type CloudEvent } from '@kiln/contracts';
import { eventually, testNamespace } from '@kiln/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { eventStream, eventSubject } from '../bus/names.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { DeadLetters } from './dead-letters.js';
import { envelopeOf } from './envelope.js';
import { EventConsumer, type EventsHandler } from './event-consumer.js';
import { newEvent } from './new-event.js';
import { ensureStreams } from './streams.js';

const tenantId = uuidv7();

describe('a release that changes a setting of the broker', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await startTestPlatform();
  });
  after(() => platform.stop());

  const define = () =>
    event({ type: `sample.${testNamespace()}`, owner: 'sample', data: z.object({ name: z.string() }) });
  type Definition = ReturnType<typeof define>;
  const publish = (definition: Definition, name: string) => {
    const id = uuidv7();
    const envelope = envelopeOf(newEvent({ definition, tenantId, subject: 'sample_1', data: { name } }), id);
    const stream = jetstream(platform.connection);
    return stream.publish(eventSubject(platform.namespace, definition.type), envelope, { msgID: id });
  };
  const nameOf = ({ data }: CloudEvent) => (data as { name: string }).name;
  async function start(definition: Definition, handler: EventsHandler, ackWaitMs: number): Promise<EventConsumer> {
    const deadLetters = new DeadLetters(platform.connection, platform.namespace);
    const consumer = new EventConsumer({ ...platform, service: 'sample', deadLetters, ackWaitMs }, definition, handler);
    await consumer.start();
    return consumer;
  }

  it('boots: its consumers get the new setting, and go on where they were', async () => {
    const definition = define();
    const seen: string[] = [];
    const handler: EventsHandler = async (events) => void seen.push(...events.map(nameOf));
    const older = await start(definition, handler, 30_000);
    await publish(definition, 'first');
    await eventually(() => assert.deepEqual(seen, ['first']));
    await older.stop();
    const newer = await start(definition, handler, 45_000);
    await publish(definition, 'second');
    await eventually(() => assert.deepEqual(seen, ['first', 'second']));
    const manager = await jetstreamManager(platform.connection);
    const { config } = await manager.consumers.info(eventStream(platform.namespace), newer.name);
    assert.equal(config.ack_wait, nanos(45_000));
    await newer.stop();
  });

  it('boots in many processes at once, beside those of the release before', async () => {
    const definition = define();
    const handler: EventsHandler = async () => {};
    const starts = Array.from({ length: 8 }, (_, index) => start(definition, handler, 30_000 + index * 1_000));
    await Promise.all((await Promise.all(starts)).map((consumer) => consumer.stop()));
  });

  it('boots: its streams get the new setting, and keep what they hold', async () => {
    const { connection, namespace } = platform;
    const manager = await jetstreamManager(connection);
    const stream = eventStream(namespace);
    const { state } = await manager.streams.info(stream);
    await manager.streams.update(stream, { max_age: nanos(3_600_000) });
    await ensureStreams({ connection, namespace, replicas: 1 });
    const after = await manager.streams.info(stream);
    assert.deepEqual([after.config.max_age, after.state.messages], [nanos(7 * 86_400_000), state.messages]);
  });
});

describe('a consumer that stops', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await startTestPlatform();
  });
  after(() => platform.stop());

  it('gives back what it had pulled: the others get it long before the broker would miss it', async () => {
    const definition = event({ type: `sample.${testNamespace()}`, owner: 'sample', data: z.object({}) });
    const deadLetters = new DeadLetters(platform.connection, platform.namespace);
    const options = { ...platform, service: 'sample', deadLetters, ackWaitMs: 3_600_000 };
    let finish = () => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    const handled = new Set<string>();
    const first = new EventConsumer(options, definition, async (events) => {
      for (const { id } of events) handled.add(id);
      await held;
    });
    await first.start();
    const stream = jetstream(platform.connection);
    const send = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => {
          const id = uuidv7();
          const envelope = envelopeOf(newEvent({ definition, tenantId, subject: 'sample_1', data: {} }), id);
          return stream.publish(eventSubject(platform.namespace, definition.type), envelope, { msgID: id });
        }),
      );
    await send(1);
    await eventually(() => assert.equal(handled.size, 1));
    await send(20);
    const manager = await jetstreamManager(platform.connection);
    const pulled = () => manager.consumers.info(eventStream(platform.namespace), first.name);
    await eventually(async () => assert.equal((await pulled()).num_ack_pending, 21));
    const second = new EventConsumer(options, definition, async (events) => {
      for (const { id } of events) handled.add(id);
    });
    await second.start();
    // Whatever the broker has sent on this connection has arrived, and it knows of both.
    await platform.connection.flush();
    const stopped = first.stop();
    try {
      await eventually(() => assert.equal(handled.size, 21));
    } finally {
      finish();
      await stopped;
      await second.stop();
    }
  });
});
