// Real: Postgres, NATS with JetStream. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { event, type CloudEvent } from '@kiln/contracts';
import { eventually, testNamespace } from '@kiln/testing';
import { DiscardPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
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

describe('a release that changes a broker setting', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform();
  });
  afterAll(() => platform.stop());

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

  it('boots: its consumers get the new setting and keep their position', async () => {
    const definition = define();
    const seen: string[] = [];
    const handler: EventsHandler = async (events) => void seen.push(...events.map(nameOf));
    const older = await start(definition, handler, 30_000);
    await publish(definition, 'first');
    await eventually(() => expect(seen).toStrictEqual(['first']));
    await older.stop();
    const newer = await start(definition, handler, 45_000);
    await publish(definition, 'second');
    await eventually(() => expect(seen).toStrictEqual(['first', 'second']));
    const manager = await jetstreamManager(platform.connection);
    const { config } = await manager.consumers.info(eventStream(platform.namespace), newer.name);
    expect(config.ack_wait).toBe(nanos(45_000));
    await newer.stop();
  });

  it('boots in many processes at once, next to processes of the previous release', async () => {
    const definition = define();
    const handler: EventsHandler = async () => {};
    const starts = Array.from({ length: 8 }, (_, index) => start(definition, handler, 30_000 + index * 1_000));
    await Promise.all((await Promise.all(starts)).map((consumer) => consumer.stop()));
  });

  it('boots: its streams get the new setting and keep their messages', async () => {
    const { connection, namespace } = platform;
    const manager = await jetstreamManager(connection);
    const stream = eventStream(namespace);
    const { state } = await manager.streams.info(stream);
    await manager.streams.update(stream, { max_age: nanos(3_600_000), discard: DiscardPolicy.Old });
    await ensureStreams({ connection, namespace, replicas: 1 });
    const after = await manager.streams.info(stream);
    expect(after).toMatchObject({
      config: { max_age: nanos(7 * 86_400_000), discard: DiscardPolicy.New },
      state: { messages: state.messages },
    });
  });
});

describe('a consumer that stops', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform();
  });
  afterAll(() => platform.stop());

  it('returns the messages it had pulled: other consumers receive them long before the ack timeout', async () => {
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
    await eventually(() => expect(handled.size).toBe(1));
    await send(20);
    const manager = await jetstreamManager(platform.connection);
    const pulled = () => manager.consumers.info(eventStream(platform.namespace), first.name);
    await eventually(async () => expect((await pulled()).num_ack_pending).toBe(21));
    const second = new EventConsumer(options, definition, async (events) => {
      for (const { id } of events) handled.add(id);
    });
    await second.start();
    // By now everything the broker sent on this connection has arrived, and the broker knows both consumers.
    await platform.connection.flush();
    const stopped = first.stop();
    try {
      await eventually(() => expect(handled.size).toBe(21));
    } finally {
      finish();
      await stopped;
      await second.stop();
    }
  });
});
