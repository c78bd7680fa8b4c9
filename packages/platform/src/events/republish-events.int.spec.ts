// Real: Postgres, a NATS server with JetStream whose storage is removed. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startOwnNats, type OwnNats } from '@kiln/testing';
import { consumerName } from '../bus/names.js';
import { defineSample, nameOf, sampleEvent } from '../fixtures/sample-events.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { statement } from '../postgres/statement.js';
import { DeadLetters } from './dead-letters.js';
import { EventConsumer } from './event-consumer.js';
import { exactlyOnce } from './inbox.js';
import { appendEvents } from './outbox.js';
import { OutboxRelay } from './relay.js';
import { republishEvents } from './republish-events.js';

describe('events of a database that was restored', () => {
  let nats: OwnNats;
  let platform: TestPlatform;
  beforeAll(async () => {
    nats = await startOwnNats();
    platform = await startTestPlatform(nats.url);
  });
  afterAll(async () => {
    await platform.stop();
    await nats.stop();
  });

  it('are published again from a time on, and handled by consumers whose inbox does not know them', async () => {
    const definition = defineSample();
    const seen: string[] = [];
    const deadLetters = new DeadLetters(platform.connection, platform.namespace);
    const handle = exactlyOnce(platform.database, consumerName('sample', definition.type), async (received) => {
      seen.push(nameOf(received));
    });
    const consumer = new EventConsumer({ ...platform, deadLetters }, definition, handle);
    await consumer.start();
    const relay = new OutboxRelay(platform);
    relay.start();
    for (const name of ['early', 'handled', 'forgotten'])
      await appendEvents(platform.database, [sampleEvent(definition, name)]);
    await eventually(() => expect(seen.toSorted()).toStrictEqual(['early', 'forgotten', 'handled']));
    const handled = statement('test.handled', 'select count(*)::int as count from inbox');
    await eventually(async () => expect(await platform.database.query(handled)).toStrictEqual([{ count: 3 }]));
    await relay.stop();

    // The backup is older than the end of the last event, and the streams are newer than the backup.
    const early = `envelope::jsonb #>> '{data,name}' = 'early'`;
    const backdate = `update outbox set published_at = now() - interval '1 hour' where ${early}`;
    await platform.database.query(statement('test.backdate', backdate), []);
    const forgotten = `select id from outbox where envelope::jsonb #>> '{data,name}' <> 'handled'`;
    const forget = `delete from inbox where event_id in (${forgotten})`;
    await platform.database.query(statement('test.forget', forget), []);
    await nats.loseStorage();

    const since = new Date(Date.now() - 60_000 * 30);
    const options = { databaseUrl: platform.databaseUrl, since };
    const expected = [{ service: 'sample', events: 2 }];
    expect(await republishEvents({ ...options, isDryRun: true })).toStrictEqual(expected);
    expect(await republishEvents({ ...options, isDryRun: false })).toStrictEqual(expected);
    expect(await republishEvents({ ...options, isDryRun: false })).toStrictEqual([{ service: 'sample', events: 0 }]);
    const again = new OutboxRelay(platform);
    again.start();
    await appendEvents(platform.database, [sampleEvent(definition, 'last')]);
    await eventually(() => expect(seen.slice(3).toSorted()).toStrictEqual(['forgotten', 'last']), {
      timeoutMs: 60_000,
    });
    await again.stop();
    await consumer.stop();
  });
});
