// Real: Postgres, NATS with JetStream. Faked: nothing.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { event, type EventDefinition } from '@kiln/contracts';
import { eventually, testNamespace } from '@kiln/testing';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { eventStream, publicEventStream, publicEventSubject } from '../bus/names.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { Metrics } from '../observability/metrics.js';
import { statement } from '../postgres/statement.js';
import { DeadLetters } from './dead-letters.js';
import { EventConsumer } from './event-consumer.js';
import { observeEventStreams } from './event-streams.metrics.js';
import { newEvent } from './new-event.js';
import { appendEvents } from './outbox.js';
import { OutboxRelay } from './relay.js';
import { StreamKeeper } from './stream-keeper.js';
import { ensureStreams } from './streams.js';

const BYTES_MAX = 1_000_000;
const EVENT_BYTES = 10_000;
/** More than fit. */
const EVENTS = 150;
const HOUR_MS = 3_600_000;
const tenantId = uuidv7();
const limits = { days: 2, bytesMax: BYTES_MAX };

let platform: TestPlatform;
let manager: JetStreamManager;
let relay: OutboxRelay;
let keeper: StreamKeeper;
const stops: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  platform = await startTestPlatform();
  manager = await jetstreamManager(platform.connection);
  relay = new OutboxRelay({ ...platform, limits, pollMs: HOUR_MS });
  keeper = new StreamKeeper({ ...platform, limits }, platform.logger);
  await ensureStreams({ ...platform, limits });
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await platform.stop();
});

const define = () =>
  event({ type: `sample.${testNamespace()}`, owner: 'sample', data: z.object({ name: z.string(), text: z.string() }) });

async function consume(definition: EventDefinition, handle = async () => {}) {
  const seen = new Set<string>();
  const deadLetters = new DeadLetters(platform.connection, platform.namespace);
  const consumer = new EventConsumer({ ...platform, deadLetters }, definition, async (events) => {
    await handle();
    for (const { data } of events) seen.add((data as { name: string }).name);
  });
  await consumer.start();
  stops.push(() => consumer.stop());
  return { consumer, seen };
}

const namesOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `event ${from + index}`);
const append = (definition: EventDefinition, names: readonly string[]) =>
  appendEvents(
    platform.database,
    names.map((name) =>
      newEvent({ definition, tenantId, subject: 's', data: { name, text: 'x'.repeat(EVENT_BYTES) } }),
    ),
  );
const publish = () => relay.publishNext().catch(() => true);
const info = () => manager.streams.info(eventStream(platform.namespace));
const countWaiting = statement('test.count', 'select count(*)::int as count from outbox where published_at is null');
const waiting = async () => (await platform.database.query<{ count: number }>(countWaiting))[0]?.count;

describe('a stream of events that is full', () => {
  it('refuses events that nobody has received the earlier ones of; they stay in the outbox, and all arrive later', async () => {
    const definition = define();
    const { consumer } = await consume(definition);
    await consumer.stop();
    for (let batch = 0; batch < EVENTS; batch += 10) {
      await append(definition, namesOf(10, batch));
      await publish();
      await keeper.keep();
    }
    const { state } = await info();
    expect(state.first_seq).toBe(1);
    expect(state.bytes).toBeLessThanOrEqual(BYTES_MAX);
    expect(await waiting()).toBeGreaterThan(0);

    const { seen } = await consume(definition);
    await eventually(async () => {
      await keeper.keep();
      await publish();
      expect([seen.size, await waiting()]).toStrictEqual([EVENTS, 0]);
    });
    expect(seen).toStrictEqual(new Set(namesOf(EVENTS)));
  });

  it('loses its oldest events first, and only what every consumer has acknowledged', async () => {
    const [often, seldom, never] = [define(), define(), define()];
    const { seen } = await consume(often);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = await consume(seldom, () => held);
    stops.unshift(async () => release());
    await consume(never);
    const publishAll = async (definition: EventDefinition, names: readonly string[]) => {
      await append(definition, names);
      await publish();
    };
    await publishAll(often, namesOf(40));
    await publishAll(seldom, ['held']);
    await publishAll(often, namesOf(45, 40));
    await eventually(() => expect(seen.size).toBe(85));
    await eventually(async () => {
      await keeper.keep();
      expect((await info()).state.first_seq).toBeGreaterThan(1);
    });
    for (let from = 85; from < EVENTS; from += 5) {
      await publishAll(often, namesOf(5, from));
      await keeper.keep();
    }
    // Number 41 is not acknowledged.
    expect((await info()).state.first_seq).toBe(41);
    release();
    await eventually(async () => {
      await keeper.keep();
      await publish();
      expect([seen.size, slow.seen.size, await waiting()]).toStrictEqual([EVENTS, 1, 0]);
    });
    expect((await info()).state.first_seq).toBeGreaterThan(41);
  });

  it('takes a lower limit only when what is stored fits, and shows its bytes beside the limit', async () => {
    const definition = define();
    await ensureStreams(platform);
    const { consumer } = await consume(definition);
    await consumer.stop();
    await append(definition, namesOf(EVENTS));
    await publish();
    await ensureStreams({ ...platform, limits });
    expect(await info()).toMatchObject({ state: { messages: EVENTS }, config: { max_bytes: -1 } });
    await consume(definition);
    await eventually(async () => {
      await keeper.keep();
      expect((await info()).config).toMatchObject({ max_bytes: BYTES_MAX, max_age: nanos(2 * 24 * HOUR_MS) });
    });
    const metrics = new Metrics('sample', 'all');
    observeEventStreams(metrics, { ...platform, consumers: () => [] });
    // A value that is read too slowly is left out.
    await eventually(async () => {
      const text = await metrics.text();
      expect(text).toMatch(/^kiln_events_storage_limit_bytes\{.*\} 1000000$/m);
      expect(Number(/^kiln_events_storage_bytes\{.*\} (\d+)$/m.exec(text)?.[1])).toBe((await info()).state.bytes);
    });
  });

  it('cannot be larger than the storage of the broker: the process that makes it says so', async () => {
    await manager.streams.delete(eventStream(platform.namespace));
    const tooLarge = { days: 7, bytesMax: 2 ** 52 };
    await expect(ensureStreams({ ...platform, limits: tooLarge })).rejects.toThrow(
      /less storage than KILN_EVENTS_BYTES_MAX/,
    );
  });
});

describe('a stream of public events that is full', () => {
  it('loses its oldest events, accepts each new one, and takes a lower limit at once', async () => {
    const publicInfo = () => manager.streams.info(publicEventStream(platform.namespace));
    const client = jetstream(platform.connection);
    const text = 'x'.repeat(EVENT_BYTES);
    for (let count = 0; count < EVENTS; count += 1) {
      await client.publish(publicEventSubject(platform.namespace, tenantId), text);
    }
    expect((await publicInfo()).state).toMatchObject({ messages: EVENTS, first_seq: 1 });
    const limited = new StreamKeeper(
      { ...platform, limits: { ...limits, publicBytesMax: BYTES_MAX } },
      platform.logger,
    );
    await limited.keep();
    const { state, config } = await publicInfo();
    expect(config.max_bytes).toBe(BYTES_MAX);
    expect(state.bytes).toBeLessThanOrEqual(BYTES_MAX);
    const { seq } = await client.publish(publicEventSubject(platform.namespace, tenantId), text);
    const { state: after } = await publicInfo();
    expect([after.last_seq, after.messages]).toStrictEqual([seq, seq - after.first_seq + 1]);
    expect(after.first_seq).toBeGreaterThan(state.first_seq);
  });
});
