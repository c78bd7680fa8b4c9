// Real: Postgres, NATS with JetStream. Faked: nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { event } from '@kiln/contracts';
import { eventually, testNamespace } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { DeadLetters } from './dead-letters.js';
import { envelopeOf } from './envelope.js';
import { EventConsumer } from './event-consumer.js';
import { newEvent } from './new-event.js';
import { OutboxRelay } from './relay.js';

const tenantId = uuidv7();
/** Larger than the broker accepts. */
const TOO_LARGE = 'x'.repeat(9_000_000);

describe('a row of the outbox that cannot be sent', () => {
  let platform: TestPlatform;
  let deadLetters: DeadLetters;
  let relay: OutboxRelay;
  let consumer: EventConsumer;
  const definition = event({
    type: `sample.${testNamespace()}`,
    owner: 'sample',
    data: z.object({ name: z.string() }),
  });
  const seen: string[] = [];

  beforeAll(async () => {
    platform = await startTestPlatform();
    deadLetters = new DeadLetters(platform.connection, platform.namespace);
    relay = new OutboxRelay({ ...platform, pollMs: 50 });
    relay.start();
    consumer = new EventConsumer({ ...platform, deadLetters }, definition, async (events) => {
      for (const { data } of events) seen.push((data as { name: string }).name);
    });
    await consumer.start();
  });
  beforeEach(() => void seen.splice(0));
  afterAll(async () => {
    await consumer.stop();
    await relay.stop();
    await platform.stop();
  });

  const sql = <Row extends object>(text: string, values: unknown[] = []) =>
    platform.database.query<Row>({ name: '', text }, values);
  const envelope = (name: string) => {
    const id = uuidv7();
    return { id, text: envelopeOf(newEvent({ definition, tenantId, subject: 'sample_1', data: { name } }), id) };
  };
  async function insert(name: string): Promise<string> {
    const { id, text } = envelope(name);
    await sql('insert into outbox (id, type, envelope) values ($1, $2, $3)', [id, definition.type, text]);
    return id;
  }
  const letters = async () => deadLetters.list({ limit: 100 });
  const count = async () => {
    const shown = /^kiln_outbox_set_aside_total\{.*\} (\d+)$/m.exec(await platform.metrics.text());
    return Number(shown?.[1]);
  };

  it('becomes a dead letter, does not block others, and is sent when requeued', async () => {
    const id = await insert(TOO_LARGE);
    await insert('behind');
    await eventually(() => expect(seen).toStrictEqual(['behind']));
    const letter = await eventually(async () => {
      const [found] = await letters();
      if (!found) throw new Error('no found');
      return found;
    });
    expect([letter.consumer, letter.type, letter.envelope]).toStrictEqual(['sample-outbox', definition.type, '']);
    expect(letter.reason).toMatch(/payload/i);
    await eventually(async () => expect(await count()).toBe(1));

    await sql('update outbox set envelope = $2 where id = $1', [id, envelope('mended').text]);
    await deadLetters.requeue(letter);
    await eventually(() => expect(seen).toStrictEqual(['behind', 'mended']));
    expect(await letters()).toStrictEqual([]);
  });

  it('becomes a dead letter again if it is requeued unchanged', async () => {
    const before = await count();
    await insert(TOO_LARGE);
    for (let time = 1; time <= 2; time++) {
      const letter = await eventually(async () => {
        const [found] = await letters();
        if (!found) throw new Error('no found');
        return found;
      });
      await deadLetters.requeue(letter);
    }
    await eventually(async () => expect(await count()).toBe(before + 3));
    expect(await letters()).toHaveLength(1);
  });

  it('stays in the outbox while the broker is unavailable, after any number of failures', async () => {
    const [before, quarantined] = [(await letters()).length, await count()];
    await relay.stop();
    const away = new OutboxRelay({ ...platform, namespace: testNamespace(), pollMs: 50 });
    await insert('waiting');
    for (let attempt = 0; attempt < 10; attempt++)
      await expect(away.publishNext()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await away.stop();
    expect([(await letters()).length, await count()]).toStrictEqual([before, quarantined]);
    expect(await sql('select 1 from outbox where published_at is null')).toHaveLength(1);
    relay = new OutboxRelay({ ...platform, pollMs: 50 });
    relay.start();
    await eventually(() => expect(seen).toStrictEqual(['waiting']));
  });
});
