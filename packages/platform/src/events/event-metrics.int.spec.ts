// Real: Postgres, NATS with JetStream. Faked: nothing.
import { expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connectBus } from '../bus/connection.js';
import { consumerName, eventStream, eventSubject } from '../bus/names.js';
import { defineSample, eventsOfFile, sampleEvent } from '../fixtures/sample-events.js';
import { silentLogger } from '../fixtures/test-platform.js';
import { Metrics } from '../observability/metrics.js';
import { eventually, testNats } from '@kiln/testing';
import { observeEventStreams } from './event-streams.metrics.js';
import { appendEvents } from './outbox.js';
import { observeOutbox } from './outbox.metrics.js';
import { OutboxRelay } from './relay.js';
import { ensureConsumer } from './streams.js';

const HOUR_MS = 3_600_000;
const events = eventsOfFile();

async function shown(metrics: Metrics, name: string): Promise<Record<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map((line) => [/consumer="([^"]+)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]),
  );
}

/** A value that is read too slowly is left out. */
const shows = (metrics: Metrics, name: string, expected: object) =>
  eventually(async () => expect(await shown(metrics, name)).toStrictEqual(expected));

it('the outbox shows how many events wait and since when, until they are published', async () => {
  const { platform } = events;
  const metrics = new Metrics('sample', 'all');
  observeOutbox(metrics, platform.database);
  await shows(metrics, 'kiln_outbox_waiting_events', { '': 0 });
  const definition = defineSample();
  await events.relay.stop();
  await platform.database.transaction((transaction) =>
    appendEvents(transaction, [sampleEvent(definition, 'a'), sampleEvent(definition, 'b')]),
  );
  await events.sql(`update outbox set created_at = now() - interval '90 seconds' where published_at is null`);
  await shows(metrics, 'kiln_outbox_waiting_events', { '': 2 });
  expect((await shown(metrics, 'kiln_outbox_oldest_seconds'))['']).toBeGreaterThanOrEqual(90);
  await new OutboxRelay({ ...platform, pollMs: HOUR_MS }).publishNext();
  await shows(metrics, 'kiln_outbox_waiting_events', { '': 0 });
  await shows(metrics, 'kiln_outbox_oldest_seconds', { '': 0 });
});

it('the lag of each consumer and the dead letters of the service are shown, also as zero', async () => {
  const { platform, deadLetters } = events;
  const { connection, namespace } = platform;
  const definition = defineSample();
  const name = consumerName('sample', definition.type);
  const stream = eventStream(namespace);
  await ensureConsumer(await jetstreamManager(connection), stream, {
    durable_name: name,
    filter_subject: eventSubject(namespace, definition.type),
  });
  await platform.database.transaction((transaction) =>
    appendEvents(transaction, [sampleEvent(definition, 'a'), sampleEvent(definition, 'b')]),
  );
  await new OutboxRelay({ ...platform, pollMs: HOUR_MS }).publishNext();
  const letter = {
    consumer: name,
    type: definition.type,
    eventId: 'one',
    reason: 'broken',
    deliveries: 8,
    envelope: '{}',
  };
  await deadLetters.add(letter);
  await deadLetters.add({ ...letter, consumer: 'other-consumer' });
  const metrics = new Metrics('sample', 'all');
  observeEventStreams(metrics, { ...platform, consumers: () => [name] });
  await shows(metrics, 'kiln_consumer_waiting_events', { [name]: 2 });
  await shows(metrics, 'kiln_consumer_unacknowledged_events', { [name]: 0 });
  await shows(metrics, 'kiln_dead_letters', { [name]: 1, 'sample-outbox': 0 });
  expect((await shown(metrics, 'kiln_bus_storage_bytes'))['']).toBeGreaterThan(0);
});

it('while the broker is out of reach, its numbers are absent, and the others are shown', async () => {
  const { platform } = events;
  const connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
  await connection.close();
  const metrics = new Metrics('sample', 'all');
  observeEventStreams(metrics, { ...platform, connection, consumers: () => ['sample-consumer'] });
  await shows(metrics, 'kiln_dead_letters', {});
  expect(await metrics.text()).toMatch(/^process_start_time_seconds\{service="sample",role="all"\} \d/m);
});
