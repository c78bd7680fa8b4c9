// Real: Postgres, NATS with JetStream. Faked: the death of a relay between publishing and marking, by a database that refuses the mark.
import { event, type CloudEvent } from '@kiln/contracts';
import { eventually, testNamespace } from '@kiln/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { eventStream, eventSubject } from '../bus/names.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { statement } from '../postgres/statement.js';
import { DeadLetters } from './dead-letters.js';
import { eventBatch } from './event-batch.js';
import { EventConsumer, oneByOne } from './event-consumer.js';
import { newEvent } from './new-event.js';
import { outboxRow } from './outbox.js';
import { OutboxRelay } from './relay.js';

const HOUR_MS = 3_600_000;
const tenantId = uuidv7();
const insertEffect = statement('test.effect', 'insert into effects (name) values ($1)');
const insertBatch = statement(
  'test.batch',
  'insert into outbox_batches (envelopes, packed, left_out, events) values ($1, $2, $3, $4)',
);

describe('events that were written in batches', () => {
  let platform: TestPlatform;
  let relay: OutboxRelay;
  before(async () => {
    platform = await startTestPlatform();
    relay = new OutboxRelay({ ...platform, pollMs: HOUR_MS });
    relay.start();
  });
  after(async () => {
    await relay.stop();
    await platform.stop();
  });

  const sql = <Row extends object>(text: string, values: unknown[] = []) =>
    platform.database.query<Row>({ name: '', text }, values);
  const define = () =>
    event({ type: `sample.${testNamespace()}`, owner: 'sample', data: z.object({ name: z.string() }) });
  type Definition = ReturnType<typeof define>;
  const rowOf = (definition: Definition, name: string) =>
    outboxRow(newEvent({ definition, tenantId, subject: 'sample_1', data: { name } }));
  type Row = ReturnType<typeof rowOf>;
  function writeBatch(rows: Row[], leftOut: number[] = []) {
    const { envelopes, packed } = eventBatch(rows.map(({ envelope }) => envelope));
    return platform.database.query(insertBatch, [envelopes, packed, leftOut, rows.length - leftOut.length]);
  }
  const batchesLeft = () => sql('select 1 from outbox_batches where published_at is null');
  const published = async () => (await platform.metrics.eventsPublished.get()).values[0]?.value ?? 0;

  /** What arrives of the type, each time that it is handled; it also leaves its effect. */
  async function consume(definition: Definition): Promise<CloudEvent[]> {
    const arrived: CloudEvent[] = [];
    const deadLetters = new DeadLetters(platform.connection, platform.namespace);
    const options = { ...platform, service: 'sample', deadLetters, deliveriesMax: 3, backoffMs: [20] };
    const handler = oneByOne(async (received, { transaction }) => {
      arrived.push(received);
      await transaction.query(insertEffect, [(received.data as { name: string }).name]);
    });
    const consumer = new EventConsumer(options, definition, handler);
    await consumer.start();
    after(() => consumer.stop());
    return arrived;
  }
  const idsOf = (events: { id: string }[]) => events.map(({ id }) => id).sort();
  const storedOf = async ({ type }: Definition) => {
    const manager = await jetstreamManager(platform.connection);
    const subject = eventSubject(platform.namespace, type);
    const { state } = await manager.streams.info(eventStream(platform.namespace), { subjects_filter: subject });
    return state.subjects?.[subject] ?? 0;
  };

  it('arrive as soon as they are committed, each once, with its own id and under its own subject', async () => {
    const [made, ended] = [define(), define()];
    const [arrivedMade, arrivedEnded] = [await consume(made), await consume(ended)];
    const before = await published();
    const rows = Array.from({ length: 300 }, (_, index) => rowOf(index % 3 === 0 ? ended : made, `once\n${index}`));
    await writeBatch(rows);
    await eventually(() => assert.equal(arrivedMade.length + arrivedEnded.length, rows.length));
    assert.deepEqual(idsOf(arrivedMade), idsOf(rows.filter(({ type }) => type === made.type)));
    assert.deepEqual(idsOf(arrivedEnded), idsOf(rows.filter(({ type }) => type === ended.type)));
    assert.deepEqual([await storedOf(made), await storedOf(ended)], [200, 100]);
    await eventually(async () => assert.deepEqual(await batchesLeft(), []));
    assert.equal((await published()) - before, rows.length, 'events are counted, not batches');
  });

  it('leave in large numbers, beside single events and shared by several relays, each once', async () => {
    const definition = define();
    const arrived = await consume(definition);
    const second = new OutboxRelay(platform);
    second.start();
    const rows = Array.from({ length: 3_000 }, (_, index) => rowOf(definition, `many-${index}`));
    const singles = rows.slice(0, 600);
    const envelopes = (some: Row[]) => some.map(({ envelope }) => envelope);
    const writes: Promise<unknown>[] = [
      sql(`insert into outbox (id, type, envelope) select * from unnest($1::uuid[], $2::text[], $3::text[])`, [
        singles.map(({ id }) => id),
        singles.map(({ type }) => type),
        envelopes(singles),
      ]),
    ];
    const sizes = [500, 500, 500, 400, 300, ...Array<number>(200).fill(1)];
    for (let at = singles.length; at < rows.length; at += sizes.shift() ?? 1)
      writes.push(writeBatch(rows.slice(at, at + (sizes[0] ?? 1))));
    await Promise.all(writes);
    await eventually(() => assert.equal(arrived.length, rows.length), { timeoutMs: 20_000 });
    await eventually(async () => assert.deepEqual(await batchesLeft(), []));
    await second.stop();
    assert.deepEqual(idsOf(arrived), idsOf(rows));
  });

  it('leave without those that did not come true, in small batches and in packed ones', async () => {
    const definition = define();
    const arrived = await consume(definition);
    const [small, large] = [2, 200].map((count) =>
      Array.from({ length: count }, (_, index) => rowOf(definition, `true-${count}-${index}`)),
    );
    assert.ok(small && large);
    await writeBatch(small, [1]);
    await writeBatch(large, [1, 100, 200]);
    const cameTrue = [...small.slice(1), ...large.slice(1, 99), ...large.slice(100, 199)];
    await eventually(() => assert.equal(arrived.length, cameTrue.length));
    await eventually(async () => assert.deepEqual(await batchesLeft(), []));
    assert.deepEqual(idsOf(arrived), idsOf(cameTrue));
  });

  it('of a relay that died between publishing and marking are published again, and count once', async () => {
    const definition = define();
    const arrived = await consume(definition);
    let heard = 0;
    const subject = eventSubject(platform.namespace, definition.type);
    const subscription = platform.connection.subscribe(subject, { callback: () => void heard++ });
    await sql('alter table outbox_batches add constraint refuse check (published_at is null) not valid');
    const rows = ['again-1', 'again-2', 'again-3'].map((name) => rowOf(definition, name));
    await writeBatch(rows);
    await eventually(() => assert.equal(arrived.length, rows.length));
    assert.equal((await batchesLeft()).length, 1);
    await sql('alter table outbox_batches drop constraint refuse');
    await eventually(async () => assert.deepEqual(await batchesLeft(), []));
    await eventually(() => assert.ok(heard >= 2 * rows.length, `${heard} were published`));
    subscription.unsubscribe();
    assert.equal(await storedOf(definition), rows.length, 'the stream drops a repeat by its id');
    assert.deepEqual(idsOf(arrived), idsOf(rows));
    assert.equal((await sql(`select 1 from effects where name like 'again-%'`)).length, rows.length);
  });

  it('are kept for a day after they were published, as single events are, and as long as it takes before', async () => {
    const ages = ['25 hours', '23 hours', null];
    for (const [index, age] of ages.entries()) {
      const { id, type, envelope } = rowOf(define(), `kept-${index}`);
      const when = 'now() - $1::interval';
      await sql(
        `with batch as (insert into outbox_batches (envelopes, events, created_at, published_at) values ($2, 1, now() - interval '9 days', ${when}))
         insert into outbox (id, type, envelope, created_at, published_at) values ($3, $4, $2, now() - interval '9 days', ${when})`,
        [age, envelope, id, type],
      );
    }
    const sweeping = new OutboxRelay(platform);
    sweeping.start();
    const kept = (table: string, column: string) =>
      sql<{ name: string }>(
        `select ${column}::json -> 'data' ->> 'name' as name from ${table} where ${column} like '%kept-%' order by sequence`,
      );
    await eventually(async () => {
      for (const [table, column] of [
        ['outbox', 'envelope'],
        ['outbox_batches', 'envelopes'],
      ] as const)
        assert.deepEqual(await kept(table, column), [{ name: 'kept-1' }, { name: 'kept-2' }]);
    });
    await sweeping.stop();
  });
});
