// Real: Postgres, NATS with JetStream. Faked: nothing.
import { describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { eventStream, eventSubject } from '../bus/names.js';
import {
  defineSample,
  eventsOfFile,
  insertEffect,
  PAUSES_MS,
  sampleEvent,
  writeEffect,
} from '../fixtures/sample-events.js';
import { statement } from '../postgres/statement.js';
import { EventConsumer } from './event-consumer.js';
import { exactlyOnce } from './inbox.js';
import { envelopeOf } from './envelope.js';
import { OutboxRelay } from './relay.js';

const readInbox = statement('test.inbox', 'select event_id from inbox where consumer = $1');

describe('events', () => {
  const events = eventsOfFile();
  const { sql, emit, effects, consume, consumers } = events;

  it('that keep failing become dead letters, are listed, and take effect when requeued', async () => {
    const definition = defineSample();
    let broken = true;
    const consumer = await consume(definition, async (received, context) => {
      if (broken) throw new Error('still broken');
      await writeEffect(received, context);
    });
    await emit([sampleEvent(definition, 'dead-1')]);
    const letter = await eventually(async () => {
      const found = (await events.deadLetters.list({ limit: 100 })).find(
        ({ consumer: name }) => name === consumer.name,
      );
      if (!found) throw new Error('no found');
      return found;
    });
    expect(letter.reason).toBe('still broken');
    expect(letter.deliveries).toBe(3);
    broken = false;
    await events.deadLetters.requeue(letter);
    await eventually(async () => expect(await effects('dead-%')).toStrictEqual(['dead-1']));
    const left = await events.deadLetters.list({ limit: 100 });
    expect(left.map(({ consumer: name }) => name)).not.toContain(consumer.name);
  });

  it('that are requeued when the inboxes have forgotten them take effect at the consumer that failed, and at no other', async () => {
    const definition = defineSample();
    let broken = true;
    const failing = await consume(definition, async (received, context) => {
      if (broken) throw new Error('still broken');
      await writeEffect(received, context);
    });
    const other = new EventConsumer(
      { ...events.platform, service: 'other', deadLetters: events.deadLetters },
      definition,
      exactlyOnce(events.platform.database, 'other', (_event, { transaction }) =>
        transaction.query(insertEffect, ['late-other']).then(() => undefined),
      ),
    );
    await other.start();
    consumers.push(other);
    await emit([sampleEvent(definition, 'late-failing')]);
    const letter = await eventually(async () => {
      const found = (await events.deadLetters.list({ limit: 100 })).find(({ consumer }) => consumer === failing.name);
      expect(await effects('late-%')).toStrictEqual(['late-other']);
      if (!found) throw new Error('no letter');
      return found;
    });
    await sql(`update inbox set received_at = now() - interval '9 days' where consumer = 'other'`);
    const sweeping = new OutboxRelay(events.platform);
    sweeping.start();
    await eventually(async () => expect(await events.platform.database.query(readInbox, ['other'])).toStrictEqual([]));
    await sweeping.stop();
    broken = false;
    await events.deadLetters.requeue(letter);
    const manager = await jetstreamManager(events.platform.connection);
    await eventually(async () => {
      const { delivered, ack_floor, num_pending } = await manager.consumers.info(
        eventStream(events.platform.namespace),
        other.name,
      );
      expect([delivered.consumer_seq, ack_floor.consumer_seq, num_pending]).toStrictEqual([2, 2, 0]);
      expect(await effects('late-%')).toStrictEqual(['late-failing', 'late-other']);
    });
  });

  it('that cannot be read become dead letters after the last pause', async () => {
    const definition = defineSample();
    const consumer = await consume(definition, writeEffect);
    await jetstream(events.platform.connection).publish(
      eventSubject(events.platform.namespace, definition.type),
      '{"no":"envelope"}',
    );
    await eventually(async () => {
      const letters = await events.deadLetters.list({ limit: 100 });
      const deliveries = letters.flatMap((letter) => (letter.consumer === consumer.name ? [letter.deliveries] : []));
      expect(deliveries).toStrictEqual([PAUSES_MS.length + 1]);
    });
  });

  it('without the mode of their tenant, or with the other mode, become dead letters without effect', async () => {
    const definition = defineSample();
    const consumer = await consume(definition, writeEffect);
    const sound = JSON.parse(envelopeOf(sampleEvent(definition, 'moded'), uuidv7())) as Record<string, unknown>;
    const stream = jetstream(events.platform.connection);
    const subject = eventSubject(events.platform.namespace, definition.type);
    for (const mode of [undefined, 'test', 'live']) await stream.publish(subject, JSON.stringify({ ...sound, mode }));
    await eventually(async () => expect(await effects('moded')).toStrictEqual(['moded']));
    const letters = await eventually(async () => {
      const listed = (await events.deadLetters.list({ limit: 100 })).filter(
        ({ consumer: name }) => name === consumer.name,
      );
      expect(listed).toHaveLength(2);
      return listed;
    });
    for (const { reason } of letters) expect(reason).toMatch(/^mode /);
  });
});
