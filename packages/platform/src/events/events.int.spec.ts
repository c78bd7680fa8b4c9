// Real: Postgres, NATS with JetStream. Faked: nothing.
import { describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually } from '@kiln/testing';
import { millis } from '@nats-io/transport-node';
import { v7 as uuidv7 } from 'uuid';
import { consumerName, eventStream, eventSubject } from '../bus/names.js';
import { defineSample, eventsOfFile, nameOf, sampleEvent, writeEffect } from '../fixtures/sample-events.js';
import { openSampleDatabase } from '../fixtures/test-platform.js';
import { statement } from '../postgres/statement.js';
import { type EventsHandler } from './event-consumer.js';
import { appendEvents } from './outbox.js';
import { OutboxRelay } from './relay.js';

const HOUR_MS = 3_600_000;
const readInbox = statement('test.inbox', 'select event_id from inbox where consumer = $1');
const unpublished = statement(
  'test.unpublished',
  'select count(*)::int as count from outbox where published_at is null',
);

describe('events', () => {
  const events = eventsOfFile();
  const { sql, emit, effects, consume, consumeTogether } = events;

  it('reach their consumer if their transaction commits, and only then', async () => {
    const definition = defineSample();
    await consume(definition, writeEffect);
    await expect(
      events.platform.database.transaction(async (transaction) => {
        await appendEvents(transaction, [sampleEvent(definition, 'true-never')]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow(/rolled back/);
    await emit([sampleEvent(definition, 'true-1'), sampleEvent(definition, 'true-2')]);
    await eventually(async () => expect(await effects('true-%')).toStrictEqual(['true-1', 'true-2']));
  });

  it('are published on commit, also of a single statement, without waiting for the poll', async () => {
    const definition = defineSample();
    await consume(definition, writeEffect);
    await appendEvents(events.platform.database, [sampleEvent(definition, 'soon-1')]);
    await eventually(async () => expect(await effects('soon-%')).toStrictEqual(['soon-1']));
    await emit([sampleEvent(definition, 'soon-2')]);
    await eventually(async () => expect(await effects('soon-%')).toStrictEqual(['soon-1', 'soon-2']));
  });

  it('are requested with a heartbeat of the broker, so that a lost request is repeated after seconds', async () => {
    const definition = defineSample();
    const { connection, namespace } = events.platform;
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${eventStream(namespace)}.${consumerName('sample', definition.type)}`;
    const requests = connection.subscribe(subject, { max: 1 });
    await connection.flush();
    await consume(definition, writeEffect);
    for await (const request of requests) {
      const { idle_heartbeat: heartbeat } = request.json<{ idle_heartbeat: number }>();
      expect(millis(heartbeat)).toBeLessThanOrEqual(3_000);
    }
  });

  it('of a process that crashed after its commit are published by another', async () => {
    const definition = defineSample();
    await consume(definition, writeEffect);
    const other = await openSampleDatabase(events.platform.databaseUrl);
    await appendEvents(other, [sampleEvent(definition, 'left-1')]);
    await other.close();
    const second = new OutboxRelay({ ...events.platform, pollMs: 20 });
    second.start();
    await eventually(async () => expect(await effects('left-%')).toStrictEqual(['left-1']));
    await second.stop();
  });

  it('take effect once although the broker delivers them twice', async () => {
    const definition = defineSample();
    await consume(definition, writeEffect);
    const envelope = JSON.stringify({
      specversion: '1.0',
      id: uuidv7(),
      source: '/kiln/sample',
      type: definition.type,
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      tenantid: uuidv7(),
      mode: 'live',
      data: { name: 'twice-1' },
    });
    const subject = eventSubject(events.platform.namespace, definition.type);
    const stream = jetstream(events.platform.connection);
    for (const msgID of ['a', 'b', 'c'])
      await stream.publish(subject, envelope, { msgID: `${definition.type}${msgID}` });
    await emit([sampleEvent(definition, 'twice-2')]);
    await eventually(async () => expect(await effects('twice-%')).toStrictEqual(['twice-1', 'twice-2']));
  });

  it('of a consumer of whole batches write no inbox row', async () => {
    const definition = defineSample();
    const seen: string[] = [];
    const consumer = await consumeTogether(definition, async (events) => void seen.push(...events.map(nameOf)));
    await emit(['one', 'two'].map((name) => sampleEvent(definition, name)));
    await eventually(() => expect(seen).toStrictEqual(['one', 'two']));
    expect(await events.platform.database.query(readInbox, [consumer.name])).toStrictEqual([]);
  });

  it('of a consumer with a longer pace wait for each other, except the first', async () => {
    const definition = defineSample();
    const batches: string[][] = [];
    const keep: EventsHandler = (events) => Promise.resolve(void batches.push(events.map(nameOf)));
    // A full batch ends the wait.
    await consumeTogether(definition, keep, { paceMs: HOUR_MS, batchSize: 2 });
    await emit([sampleEvent(definition, 'first')]);
    await eventually(() => batches.length === 1);
    for (const name of ['second', 'third']) await emit([sampleEvent(definition, name)]);
    await eventually(() => batches.length > 1);
    expect(batches).toStrictEqual([['first'], ['second', 'third']]);
  });

  it('that fail are retried without delaying the others in the batch', async () => {
    const definition = defineSample();
    let failures = 0;
    await consume(definition, async (received, context) => {
      if (nameOf(received) === 'retry-2' && failures++ < 2) throw new Error('not yet');
      await writeEffect(received, context);
    });
    await emit(['retry-1', 'retry-2', 'retry-3'].map((name) => sampleEvent(definition, name)));
    await eventually(async () => expect(await effects('retry-%')).toStrictEqual(['retry-1', 'retry-2', 'retry-3']));
  });

  it('in large numbers are published once each by several relays', async () => {
    const definition = defineSample();
    const seen = new Map<string, number>();
    await consume(
      definition,
      async (received) => void seen.set(nameOf(received), (seen.get(nameOf(received)) ?? 0) + 1),
    );
    const second = new OutboxRelay(events.platform);
    second.start();
    const names = Array.from({ length: 2_500 }, (_, index) => `many-${index}`);
    await emit(names.map((name) => sampleEvent(definition, name)));
    await eventually(() => expect(seen.size).toBe(names.length), {});
    await second.stop();
    expect([...seen].filter(([, count]) => count > 1)).toStrictEqual([]);
    await eventually(async () => {
      const [row] = await events.platform.database.query<{ count: number }>(unpublished);
      expect(row?.count).toBe(0);
    });
  });

  it('of a relay that crashed between publishing and marking are published again, and take effect once', async () => {
    const definition = defineSample();
    await consume(definition, writeEffect);
    let published = 0;
    const subject = eventSubject(events.platform.namespace, definition.type);
    const subscription = events.platform.connection.subscribe(subject, { callback: () => void published++ });
    await sql('alter table outbox add constraint refuse check (published_at is null) not valid');
    const names = ['again-1', 'again-2', 'again-3'];
    await emit(names.map((name) => sampleEvent(definition, name)));
    await eventually(async () => expect(await effects('again-%')).toStrictEqual(names));
    expect((await events.platform.database.query<{ count: number }>(unpublished))[0]?.count).toBe(names.length);
    await sql('alter table outbox drop constraint refuse');
    await eventually(async () => {
      expect((await events.platform.database.query<{ count: number }>(unpublished))[0]?.count).toBe(0);
    });
    await eventually(() => expect(published).toBeGreaterThanOrEqual(2 * names.length));
    subscription.unsubscribe();
    const manager = await jetstreamManager(events.platform.connection);
    const { state } = await manager.streams.info(eventStream(events.platform.namespace), { subjects_filter: subject });
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
    const sweeping = new OutboxRelay(events.platform);
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
    const definition = defineSample();
    await expect(emit([sampleEvent(definition, 7 as unknown as string)])).rejects.toThrow(/name/);
  });
});
