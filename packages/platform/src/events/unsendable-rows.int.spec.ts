// Real: Postgres, NATS with JetStream. Faked: nothing.
import { event } from '@kiln/contracts';
import { eventually, testNamespace } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { DeadLetters } from './dead-letters.js';
import { envelopeOf } from './envelope.js';
import { EventConsumer } from './event-consumer.js';
import { newEvent } from './new-event.js';
import { OutboxRelay } from './relay.js';

const tenantId = uuidv7();
/** More than the broker takes. */
const TOO_LARGE = 'x'.repeat(9_000_000);

describe('a row of the outbox that can not be sent', () => {
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

  before(async () => {
    platform = await startTestPlatform();
    deadLetters = new DeadLetters(platform.connection, platform.namespace);
    relay = new OutboxRelay({ ...platform, pollMs: 50 });
    relay.start();
    consumer = new EventConsumer({ ...platform, deadLetters }, definition, async (events) => {
      for (const { data } of events) seen.push((data as { name: string }).name);
    });
    await consumer.start();
  });
  beforeEach(() => seen.splice(0));
  after(async () => {
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
    const { values } = await platform.metrics.outboxSetAside.get();
    return values[0]?.value ?? 0;
  };

  it('is set aside as a dead letter, holds up no other, and is sent when it is requeued', async () => {
    const id = await insert(TOO_LARGE);
    await insert('behind');
    await eventually(() => assert.deepEqual(seen, ['behind']));
    const letter = await eventually(async () => {
      const [found] = await letters();
      assert.ok(found);
      return found;
    });
    assert.deepEqual([letter.consumer, letter.type, letter.envelope], ['sample-outbox', definition.type, '']);
    assert.match(letter.reason, /payload/i);
    await eventually(async () => assert.equal(await count(), 1));

    await sql('update outbox set envelope = $2 where id = $1', [id, envelope('mended').text]);
    await deadLetters.requeue(letter);
    await eventually(() => assert.deepEqual(seen, ['behind', 'mended']));
    assert.deepEqual(await letters(), []);
  });

  it('that is requeued as it was becomes a dead letter again', async () => {
    const before = await count();
    await insert(TOO_LARGE);
    for (let time = 1; time <= 2; time++) {
      const letter = await eventually(async () => {
        const [found] = await letters();
        assert.ok(found);
        return found;
      });
      await deadLetters.requeue(letter);
    }
    await eventually(async () => assert.equal(await count(), before + 3));
    assert.equal((await letters()).length, 1);
  });

  it('because the broker is away is no fault of it: it stays, however often that fails', async () => {
    const [before, setAside] = [(await letters()).length, await count()];
    await relay.stop();
    const away = new OutboxRelay({ ...platform, namespace: testNamespace(), pollMs: 50 });
    await insert('waiting');
    for (let attempt = 0; attempt < 10; attempt++) await assert.rejects(away.publishNext(), { code: 'UNAVAILABLE' });
    await away.stop();
    assert.deepEqual([(await letters()).length, await count()], [before, setAside]);
    assert.equal((await sql('select 1 from outbox where published_at is null')).length, 1);
    relay = new OutboxRelay({ ...platform, pollMs: 50 });
    relay.start();
    await eventually(() => assert.deepEqual(seen, ['waiting']));
  });
});
