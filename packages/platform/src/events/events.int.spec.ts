// Real: Postgres, NATS with JetStream. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { event, type CloudEvent } from '@kiln/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually, testNamespace } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { consumerName, eventStream, eventSubject } from '../bus/names.js';
import { openSampleDatabase, startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { statement } from '../postgres/statement.js';
import { DeadLetters } from './dead-letters.js';
import { EventConsumer, type EventsHandler } from './event-consumer.js';
import { exactlyOnce, type EventHandler } from './inbox.js';
import { envelopeOf } from './envelope.js';
import { newEvent, type NewEvent } from './new-event.js';
import { appendEvents } from './outbox.js';
import { OutboxRelay } from './relay.js';

const HOUR_MS = 3_600_000;
const PAUSES_MS = [20, 20];
const tenantId = uuidv7();
const insertEffect = statement('test.effect', 'insert into effects (name) values ($1)');
const readEffects = statement('test.effects', 'select name from effects where name like $1 order by name');
const readInbox = statement('test.inbox', 'select event_id from inbox where consumer = $1');
const unpublished = statement(
  'test.unpublished',
  'select count(*)::int as count from outbox where published_at is null',
);

describe('events', () => {
  let platform: TestPlatform;
  let deadLetters: DeadLetters;
  let relay: OutboxRelay;
  const consumers: EventConsumer[] = [];

  beforeAll(async () => {
    platform = await startTestPlatform();
    deadLetters = new DeadLetters(platform.connection, platform.namespace);
    relay = new OutboxRelay({ ...platform, pollMs: HOUR_MS });
    relay.start();
  });

  afterAll(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await relay.stop();
    await platform.stop();
  });

  const sql = (text: string, values: unknown[] = []) => platform.database.query({ name: '', text }, values);
  const define = () =>
    event({ type: `sample.${testNamespace()}`, owner: 'sample', data: z.object({ name: z.string() }) });
  type Definition = ReturnType<typeof define>;
  const of = (definition: Definition, name: string): NewEvent =>
    newEvent({ definition, tenantId, subject: 'sample_1', data: { name } });
  const emit = (events: NewEvent[]) =>
    platform.database.transaction((transaction) => appendEvents(transaction, events));
  const effects = async (like: string) =>
    (await platform.database.query<{ name: string }>(readEffects, [like])).map((row) => row.name);
  const nameOf = ({ data }: CloudEvent) => (data as { name: string }).name;
  const writeEffect: EventHandler = async (received, { transaction }) => {
    await transaction.query(insertEffect, [nameOf(received)]);
  };

  const consume = (definition: Definition, handler: EventHandler) =>
    consumeTogether(definition, exactlyOnce(platform.database, consumerName('sample', definition.type), handler));

  async function consumeTogether(
    definition: Definition,
    handler: EventsHandler,
    more: { paceMs?: number; batchSize?: number } = {},
  ): Promise<EventConsumer> {
    const options = {
      ...platform,
      service: 'sample',
      deadLetters,
      pausesMs: PAUSES_MS,
      unreadablePausesMs: PAUSES_MS,
      ...more,
    };
    const consumer = new EventConsumer(options, definition, handler);
    await consumer.start();
    consumers.push(consumer);
    return consumer;
  }

  it('reach their consumer if their transaction commits, and only then', async () => {
    const definition = define();
    await consume(definition, writeEffect);
    await expect(
      platform.database.transaction(async (transaction) => {
        await appendEvents(transaction, [of(definition, 'true-never')]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow(/rolled back/);
    await emit([of(definition, 'true-1'), of(definition, 'true-2')]);
    await eventually(async () => expect(await effects('true-%')).toStrictEqual(['true-1', 'true-2']));
  });

  it('are published on commit, also of a single statement, without waiting for the poll', async () => {
    const definition = define();
    await consume(definition, writeEffect);
    await appendEvents(platform.database, [of(definition, 'soon-1')]);
    await eventually(async () => expect(await effects('soon-%')).toStrictEqual(['soon-1']));
    await emit([of(definition, 'soon-2')]);
    await eventually(async () => expect(await effects('soon-%')).toStrictEqual(['soon-1', 'soon-2']));
  });

  it('of a process that crashed after its commit are published by another', async () => {
    const definition = define();
    await consume(definition, writeEffect);
    const other = await openSampleDatabase(platform.databaseUrl);
    await appendEvents(other, [of(definition, 'left-1')]);
    await other.close();
    const second = new OutboxRelay({ ...platform, pollMs: 20 });
    second.start();
    await eventually(async () => expect(await effects('left-%')).toStrictEqual(['left-1']));
    await second.stop();
  });

  it('take effect once although the broker delivers them twice', async () => {
    const definition = define();
    await consume(definition, writeEffect);
    const envelope = JSON.stringify({
      specversion: '1.0',
      id: uuidv7(),
      source: '/kiln/sample',
      type: definition.type,
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      tenantid: tenantId,
      mode: 'live',
      data: { name: 'twice-1' },
    });
    const subject = eventSubject(platform.namespace, definition.type);
    const stream = jetstream(platform.connection);
    for (const msgID of ['a', 'b', 'c'])
      await stream.publish(subject, envelope, { msgID: `${definition.type}${msgID}` });
    await emit([of(definition, 'twice-2')]);
    await eventually(async () => expect(await effects('twice-%')).toStrictEqual(['twice-1', 'twice-2']));
  });

  it('of a consumer of whole batches write no inbox row', async () => {
    const definition = define();
    const seen: string[] = [];
    const consumer = await consumeTogether(definition, async (events) => void seen.push(...events.map(nameOf)));
    await emit(['one', 'two'].map((name) => of(definition, name)));
    await eventually(() => expect(seen).toStrictEqual(['one', 'two']));
    expect(await platform.database.query(readInbox, [consumer.name])).toStrictEqual([]);
  });

  it('of a consumer with a longer pace wait for each other, except the first', async () => {
    const definition = define();
    const batches: string[][] = [];
    const keep: EventsHandler = (events) => Promise.resolve(void batches.push(events.map(nameOf)));
    // A full batch ends the wait.
    await consumeTogether(definition, keep, { paceMs: HOUR_MS, batchSize: 2 });
    await emit([of(definition, 'first')]);
    await eventually(() => batches.length === 1);
    for (const name of ['second', 'third']) await emit([of(definition, name)]);
    await eventually(() => batches.length > 1);
    expect(batches).toStrictEqual([['first'], ['second', 'third']]);
  });

  it('that fail are retried without delaying the others in the batch', async () => {
    const definition = define();
    let failures = 0;
    await consume(definition, async (received, context) => {
      if (nameOf(received) === 'retry-2' && failures++ < 2) throw new Error('not yet');
      await writeEffect(received, context);
    });
    await emit(['retry-1', 'retry-2', 'retry-3'].map((name) => of(definition, name)));
    await eventually(async () => expect(await effects('retry-%')).toStrictEqual(['retry-1', 'retry-2', 'retry-3']));
  });

  it('that keep failing become dead letters, are listed, and take effect when requeued', async () => {
    const definition = define();
    let broken = true;
    const consumer = await consume(definition, async (received, context) => {
      if (broken) throw new Error('still broken');
      await writeEffect(received, context);
    });
    await emit([of(definition, 'dead-1')]);
    const letter = await eventually(async () => {
      const found = (await deadLetters.list({ limit: 100 })).find(({ consumer: name }) => name === consumer.name);
      if (!found) throw new Error('no found');
      return found;
    });
    expect(letter.reason).toBe('still broken');
    expect(letter.deliveries).toBe(3);
    broken = false;
    await deadLetters.requeue(letter);
    await eventually(async () => expect(await effects('dead-%')).toStrictEqual(['dead-1']));
    const left = await deadLetters.list({ limit: 100 });
    expect(left.map(({ consumer: name }) => name)).not.toContain(consumer.name);
  });

  it('that are requeued when the inboxes have forgotten them take effect at the consumer that failed, and at no other', async () => {
    const definition = define();
    let broken = true;
    const failing = await consume(definition, async (received, context) => {
      if (broken) throw new Error('still broken');
      await writeEffect(received, context);
    });
    const other = new EventConsumer(
      { ...platform, service: 'other', deadLetters },
      definition,
      exactlyOnce(platform.database, 'other', (_event, { transaction }) =>
        transaction.query(insertEffect, ['late-other']).then(() => undefined),
      ),
    );
    await other.start();
    consumers.push(other);
    await emit([of(definition, 'late-failing')]);
    const letter = await eventually(async () => {
      const found = (await deadLetters.list({ limit: 100 })).find(({ consumer }) => consumer === failing.name);
      expect(await effects('late-%')).toStrictEqual(['late-other']);
      if (!found) throw new Error('no letter');
      return found;
    });
    await sql(`update inbox set received_at = now() - interval '9 days' where consumer = 'other'`);
    const sweeping = new OutboxRelay(platform);
    sweeping.start();
    await eventually(async () => expect(await platform.database.query(readInbox, ['other'])).toStrictEqual([]));
    await sweeping.stop();
    broken = false;
    await deadLetters.requeue(letter);
    const manager = await jetstreamManager(platform.connection);
    await eventually(async () => {
      const { delivered, ack_floor, num_pending } = await manager.consumers.info(
        eventStream(platform.namespace),
        other.name,
      );
      expect([delivered.consumer_seq, ack_floor.consumer_seq, num_pending]).toStrictEqual([2, 2, 0]);
      expect(await effects('late-%')).toStrictEqual(['late-failing', 'late-other']);
    });
  });

  it('that cannot be read become dead letters after the last pause', async () => {
    const definition = define();
    const consumer = await consume(definition, writeEffect);
    await jetstream(platform.connection).publish(
      eventSubject(platform.namespace, definition.type),
      '{"no":"envelope"}',
    );
    await eventually(async () => {
      const letters = await deadLetters.list({ limit: 100 });
      const deliveries = letters.flatMap((letter) => (letter.consumer === consumer.name ? [letter.deliveries] : []));
      expect(deliveries).toStrictEqual([PAUSES_MS.length + 1]);
    });
  });

  it('without the mode of their tenant, or with the other mode, become dead letters without effect', async () => {
    const definition = define();
    const consumer = await consume(definition, writeEffect);
    const sound = JSON.parse(envelopeOf(of(definition, 'moded'), uuidv7())) as Record<string, unknown>;
    const stream = jetstream(platform.connection);
    const subject = eventSubject(platform.namespace, definition.type);
    for (const mode of [undefined, 'test', 'live']) await stream.publish(subject, JSON.stringify({ ...sound, mode }));
    await eventually(async () => expect(await effects('moded')).toStrictEqual(['moded']));
    const letters = await eventually(async () => {
      const listed = (await deadLetters.list({ limit: 100 })).filter(({ consumer: name }) => name === consumer.name);
      expect(listed).toHaveLength(2);
      return listed;
    });
    for (const { reason } of letters) expect(reason).toMatch(/^mode /);
  });

  it('in large numbers are published once each by several relays', async () => {
    const definition = define();
    const seen = new Map<string, number>();
    await consume(
      definition,
      async (received) => void seen.set(nameOf(received), (seen.get(nameOf(received)) ?? 0) + 1),
    );
    const second = new OutboxRelay(platform);
    second.start();
    const names = Array.from({ length: 2_500 }, (_, index) => `many-${index}`);
    await emit(names.map((name) => of(definition, name)));
    await eventually(() => expect(seen.size).toBe(names.length), {});
    await second.stop();
    expect([...seen].filter(([, count]) => count > 1)).toStrictEqual([]);
    await eventually(async () => {
      const [row] = await platform.database.query<{ count: number }>(unpublished);
      expect(row?.count).toBe(0);
    });
  });

  it('of a relay that crashed between publishing and marking are published again, and take effect once', async () => {
    const definition = define();
    await consume(definition, writeEffect);
    let published = 0;
    const subject = eventSubject(platform.namespace, definition.type);
    const subscription = platform.connection.subscribe(subject, { callback: () => void published++ });
    await sql('alter table outbox add constraint refuse check (published_at is null) not valid');
    const names = ['again-1', 'again-2', 'again-3'];
    await emit(names.map((name) => of(definition, name)));
    await eventually(async () => expect(await effects('again-%')).toStrictEqual(names));
    expect((await platform.database.query<{ count: number }>(unpublished))[0]?.count).toBe(names.length);
    await sql('alter table outbox drop constraint refuse');
    await eventually(async () => {
      expect((await platform.database.query<{ count: number }>(unpublished))[0]?.count).toBe(0);
    });
    await eventually(() => expect(published).toBeGreaterThanOrEqual(2 * names.length));
    subscription.unsubscribe();
    const manager = await jetstreamManager(platform.connection);
    const { state } = await manager.streams.info(eventStream(platform.namespace), { subjects_filter: subject });
    // The stream drops the duplicate by its id.
    expect(state.subjects?.[subject]).toBe(names.length);
    expect(await effects('again-%')).toStrictEqual(names);
  });

  it('are kept until published, and for a day after that', async () => {
    for (const [index, age] of ['25 hours', '23 hours', null].entries()) {
      await sql(
        `insert into outbox (id, type, envelope, created_at, published_at)
         values (gen_random_uuid(), 'kept', $1, now() - interval '9 days', now() - $2::interval)`,
        [String(index), age],
      );
    }
    const sweeping = new OutboxRelay(platform);
    sweeping.start();
    await eventually(async () =>
      expect(await sql(`select envelope from outbox where type = 'kept' order by sequence`)).toStrictEqual([
        { envelope: '1' },
        { envelope: '2' },
      ]),
    );
    await sweeping.stop();
  });

  it('with data that does not match the contract are not added to the outbox', async () => {
    const definition = define();
    await expect(emit([of(definition, 7 as unknown as string)])).rejects.toThrow(/name/);
  });
});
