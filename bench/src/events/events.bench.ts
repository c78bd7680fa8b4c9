// outbox → relay → JetStream → consumer with inbox, as a ratio to bare JetStream publish and consume of the same messages
// with the same client, server and batch size, alternating within one run. Both sides count from the first write to the last
// message handled. `npm run bench:events`
import { event, jobsEvents, type CloudEvent, unknownLabels } from '@kiln/contracts';
import {
  appendEvents,
  connectBus,
  createLogger,
  Database,
  DeadLetters,
  ensureStreams,
  EventConsumer,
  exactlyOnce,
  eventStream,
  eventSubject,
  Metrics,
  migrateService,
  newEvent,
  OutboxRelay,
  type NatsConnection,
} from '@kiln/platform';
import { createTestDatabase, testNamespace, testNats } from '@kiln/testing';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { v7 as uuidv7 } from 'uuid';
import { median } from '../median.js';

const EVENTS = 20_000;
const BATCH = 500;
const ROUNDS = 5;

const data = {
  ...unknownLabels,
  file_id: 'file_01h455vb4pex5vsknk084sn02q',
  job_id: 'job_01h455vb4pex5vsknk084sn02q',
  space: 'default',
  filename: 'annual-report.pdf',
  content_type: 'application/pdf',
  provider: 'document_extractor' as const,
  variants: ['markdown' as const, 'metadata' as const, 'searchable-index' as const],
  fence: 1,
  duration_ms: 12,
};

/** Publishes windows of 500 messages and consumes them. Returns messages per second. */
async function bare(connection: NatsConnection, namespace: string, envelope: string): Promise<number> {
  const subject = eventSubject(namespace, `bare.${uuidv7()}`);
  const stream = eventStream(namespace);
  const durable = `bare-${uuidv7()}`;
  const manager = await jetstreamManager(connection);
  await manager.consumers.add(stream, {
    durable_name: durable,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
  });
  const client = jetstream(connection);
  let seen = 0;
  const startedAt = performance.now();
  const done = new Promise<void>((resolve, reject) => {
    client.consumers
      .get(stream, durable)
      .then((consumer) =>
        consumer.consume({
          max_messages: BATCH,
          callback: (message) => {
            message.ack();
            if (++seen === EVENTS) resolve();
          },
        }),
      )
      .catch(reject);
  });
  for (let sent = 0; sent < EVENTS; sent += BATCH) {
    await Promise.all(Array.from({ length: BATCH }, () => client.publish(subject, envelope, { msgID: uuidv7() })));
  }
  await done;
  const rate = EVENTS / ((performance.now() - startedAt) / 1_000);
  await manager.consumers.delete(stream, durable);
  return rate;
}

interface Kiln {
  database: Database;
  connection: NatsConnection;
  namespace: string;
}

/** The complete path, with an inbox row per event. Returns events per second. */
async function kiln({ database, connection, namespace }: Kiln): Promise<number> {
  const definition = event({ type: `bench.${uuidv7()}`, owner: 'bench', data: jobsEvents.processingCompleted.data });
  const logger = createLogger({ service: 'bench', role: 'all', level: 'error' });
  const metrics = new Metrics('bench', 'all');
  const shared = { database, connection, namespace, replicas: 1, service: 'bench', logger, metrics };
  let seen = 0;
  let finish: () => void = () => {};
  const done = new Promise<void>((resolve) => (finish = resolve));
  const handler = async (_event: CloudEvent) => {
    if (++seen === EVENTS) finish();
  };
  const deadLetters = new DeadLetters(connection, namespace);
  const consumer = new EventConsumer({ ...shared, deadLetters }, definition, exactlyOnce(database, 'bench', handler));
  const relay = new OutboxRelay(shared);
  await consumer.start();
  relay.start();
  const startedAt = performance.now();
  const tenantId = uuidv7();
  for (let sent = 0; sent < EVENTS; sent += BATCH) {
    const events = Array.from({ length: BATCH }, () => newEvent({ definition, tenantId, subject: data.file_id, data }));
    await database.transaction((transaction) => appendEvents(transaction, events));
  }
  await done;
  const rate = EVENTS / ((performance.now() - startedAt) / 1_000);
  await relay.stop();
  await consumer.stop();
  return rate;
}

async function main(): Promise<void> {
  const testDatabase = await createTestDatabase();
  await migrateService({ service: 'bench', migrations: [], databaseUrl: testDatabase.url });
  const options = { url: testDatabase.url, schema: 'bench', connectionsMax: 10, statementTimeoutMs: 30_000 };
  const database = await Database.open(options, () => {});
  const logger = createLogger({ service: 'bench', role: 'all', level: 'error' });
  const connection = await connectBus({ url: await testNats(), name: 'bench', logger });
  const namespace = testNamespace();
  await ensureStreams({ connection, namespace, replicas: 1 });
  const envelope = JSON.stringify({
    specversion: '1.0',
    id: uuidv7(),
    source: '/kiln/jobs',
    type: 'x',
    tenantid: uuidv7(),
    data,
  });

  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const bareRate = await bare(connection, namespace, envelope);
    const kilnRate = await kiln({ database, connection, namespace });
    ratios.push(kilnRate / bareRate);
    console.log(
      `round ${round}: bare ${bareRate.toFixed(0)}/s, kiln ${kilnRate.toFixed(0)}/s, ratio ${(kilnRate / bareRate).toFixed(2)}`,
    );
  }
  console.log(`events: median ratio ${median(ratios).toFixed(2)} over ${ROUNDS} rounds of ${EVENTS} events`);
  await connection.close();
  await database.close();
  await testDatabase.drop();
}

await main();
process.exit(0);
