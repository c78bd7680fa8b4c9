// Real: two Postgres servers with streaming replication, behind a proxy in place of the name that leads to the primary; NATS with
// JetStream. Faked: nothing.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CodedError, event } from '@kiln/contracts';
import {
  eventually,
  openCuttable,
  startPostgresPair,
  testNamespace,
  testNats,
  type CuttableDatabase,
  type PostgresPair,
} from '@kiln/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { connectBus, type NatsConnection } from '../bus/connection.js';
import { consumerName } from '../bus/names.js';
import { DeadLetters } from '../events/dead-letters.js';
import { EventConsumer } from '../events/event-consumer.js';
import { exactlyOnce } from '../events/inbox.js';
import { newEvent } from '../events/new-event.js';
import { appendEvents } from '../events/outbox.js';
import { OutboxRelay } from '../events/relay.js';
import { ensureStreams } from '../events/streams.js';
import { CreateEffects1795251600000, openSampleDatabase, silentLogger } from '../fixtures/test-platform.js';
import { Metrics } from '../observability/metrics.js';
import type { Database } from './database.js';
import { migrateService } from './migrate.js';
import { statement } from './statement.js';

const BACK_WITHIN_MS = 30_000;
const definition = event({ type: 'sample.written', owner: 'sample', data: z.object({ name: z.string() }) });
/** Repeated if its first answer was lost, so it returns nothing if the row is there. */
const write = statement(
  'test.write',
  'insert into effects (name) select $1 where not exists (select 1 from effects where name = $1) returning 1',
);

/** A caller that repeats each write until it is acknowledged. */
class Writer {
  readonly acknowledged: string[] = [];
  /** Codes of the errors behind UNAVAILABLE. */
  readonly causes: string[] = [];
  readonly unexpected: unknown[] = [];
  private running = Promise.resolve();
  private stopping = false;

  constructor(
    private readonly id: string,
    private readonly write: (name: string) => Promise<unknown>,
  ) {}

  start(): void {
    this.running = this.run();
  }

  stop(): Promise<void> {
    this.stopping = true;
    return this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const name = `${this.id}-${this.acknowledged.length}`;
      try {
        await this.write(name);
        this.acknowledged.push(name);
      } catch (error) {
        const isAway = error instanceof CodedError && error.code === 'UNAVAILABLE';
        if (isAway) this.causes.push(String((error.cause as { code?: string }).code));
        else this.unexpected.push(error);
        await delay(20);
      }
    }
  }
}

let pair: PostgresPair;
let way: CuttableDatabase;
let connection: NatsConnection;
let database: Database;
beforeAll(async () => {
  pair = await startPostgresPair();
  await migrateService({ service: 'sample', migrations: [CreateEffects1795251600000], databaseUrl: pair.url });
  way = await openCuttable(pair.url);
  connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
  database = await openSampleDatabase(way.url);
});
afterAll(async () => {
  await database.close();
  await connection.close();
  await way.close();
  await pair.stop();
});

it('a failover of Postgres loses nothing, and the connections to the demoted server are replaced within 30 s', async () => {
  const namespace = testNamespace();
  const metrics = new Metrics('sample', 'all');
  await ensureStreams({ connection, namespace, replicas: 1 });
  const parts = { database, connection, namespace, replicas: 1, service: 'sample', logger: silentLogger, metrics };
  const deadLetters = new DeadLetters(connection, namespace);
  const handler = exactlyOnce(database, consumerName('sample', definition.type), async ({ data }, { transaction }) => {
    const { name } = data as { name: string };
    await transaction.query(statement('test.handle', 'insert into effects (name) values ($1)'), [`handled ${name}`]);
  });
  const consumer = new EventConsumer(
    { ...parts, deadLetters, pausesMs: Array.from({ length: 600 }, () => 100) },
    definition,
    handler,
  );
  const relay = new OutboxRelay({ ...parts, pollMs: 100 });
  const withEvent = (name: string) =>
    database.transaction(async (transaction) => {
      if ((await transaction.query(write, [name])).length === 0) return;
      const written = { definition, tenantId: uuidv7(), subject: 'sample_1', data: { name } };
      await appendEvents(transaction, [newEvent(written)]);
    });
  const writers = [
    new Writer('event-a', withEvent),
    new Writer('event-b', withEvent),
    new Writer('statement', (name) => database.query(write, [name])),
    new Writer('repository', (name) => database.dataSource.query(write.text, [name])),
  ];
  const acknowledged = (more: number) => {
    const goals = writers.map((writer) => writer.acknowledged.length + more);
    return () => writers.every((writer, index) => writer.acknowledged.length >= (goals[index] ?? 0));
  };

  const stopWriters = () => Promise.all(writers.map((writer) => writer.stop()));
  const expected = () =>
    writers.flatMap((writer, index) =>
      writer.acknowledged.flatMap((name) => (index < 2 ? [name, `handled ${name}`] : [name])),
    );
  const effects = statement('test.effects', 'select name from effects');
  const names = async () => (await database.query<{ name: string }>(effects)).map(({ name }) => name);

  await consumer.start();
  relay.start();
  for (const writer of writers) writer.start();
  try {
    await eventually(acknowledged(50), { timeoutMs: 60_000 });
    const { promoted, demoted } = await pair.failOver();
    // For a while the name still leads to the old server.
    way.aim(demoted);
    const refused = (writer: Writer) => writer.causes.filter((code) => code === '25006').length;
    await eventually(() => writers.every((writer) => refused(writer) >= 5), { timeoutMs: 60_000 });
    await expect(database.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    way.aim(promoted);
    await eventually(acknowledged(50), { timeoutMs: BACK_WITHIN_MS });
    await stopWriters();
    await eventually(async () => (await names()).length >= expected().length, { timeoutMs: 60_000 });
  } finally {
    await stopWriters();
    await Promise.all([relay.stop(), consumer.stop()]);
  }
  expect(writers.flatMap((writer) => writer.unexpected)).toStrictEqual([]);
  expect((await names()).toSorted()).toStrictEqual(expected().toSorted());
  expect(await deadLetters.list({ limit: 1 })).toStrictEqual([]);
});
