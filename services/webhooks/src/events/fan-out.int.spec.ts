// Real: the compiled service, Postgres, NATS with JetStream, a receiver on loopback. Faked: the service that emits the event.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encodeId, webhooksOperations } from '@kiln/contracts';
import { connectBus, eventSubject, RpcClient, type NatsConnection } from '@kiln/platform';
import { eventually, startTestService, testNats, type TestService } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startReceiver, type Receiver } from '../test/receiver.js';
import { silentLogger } from '../test/test-worker.js';
import { contextOf, ENCRYPTION_KEY, fileCompleted, openDatabase } from '../test/webhooks-harness.js';

let service: TestService;
let connection: NatsConnection;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  const environment = { KILN_ENCRYPTION_KEY: ENCRYPTION_KEY, KILN_OUTBOUND_ALLOW: '127.0.0.1' };
  service = await startTestService({ name: 'webhooks', role: 'all', environment });
  connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
});
afterAll(async () => {
  await service.stop();
  await connection.close();
  await receiver.close();
});

const publish = (event: object) =>
  connection.publish(eventSubject(service.namespace, 'file.processing.completed'), JSON.stringify(event));

async function createWebhook(tenantId: string) {
  const input = {
    id: encodeId('webhook', uuidv7()),
    org_id: encodeId('organization', uuidv7()),
    url: receiver.url,
    events: ['file.processing.completed' as const],
  };
  const rpc = new RpcClient(connection, service.namespace);
  return rpc.call(webhooksOperations.createWebhook, input, contextOf(tenantId));
}

it('an event that the broker delivers five times makes one delivery, and one that follows makes the next', async () => {
  const tenantId = uuidv7();
  const webhook = await createWebhook(tenantId);
  const rpc = new RpcClient(connection, service.namespace);
  const event = fileCompleted(tenantId);
  // The messages have no id, so the stream takes each of them as new.
  for (let time = 0; time < 5; time++) publish(event);
  publish(fileCompleted(tenantId));
  await eventually(() => receiver.received.length >= 2);
  const { deliveries } = await eventually(async () => {
    const page = await rpc.call(webhooksOperations.listDeliveries, { id: webhook.id }, contextOf(tenantId));
    expect(page.deliveries.length).toBeGreaterThanOrEqual(2);
    expect(page.deliveries.filter(({ status }) => status !== 'delivered')).toStrictEqual([]);
    return page;
  });
  expect(deliveries).toHaveLength(2);
  expect(receiver.received).toHaveLength(2);
});

it('events that no webhook wants leave no row behind, and those that come with them are delivered', async () => {
  const [listening, silent] = [uuidv7(), uuidv7()];
  receiver.received.length = 0;
  await createWebhook(listening);
  const heard = fileCompleted(listening);
  const ignored = [fileCompleted(silent), fileCompleted(silent)];
  for (const event of [...ignored, heard]) publish(event);
  await eventually(() => expect(receiver.received).toHaveLength(1));
  const database = await openDatabase(service.databaseUrl);
  const text =
    'select tenant_id from webhook_events where tenant_id = any ($1::uuid[]) union all select event_id from inbox';
  const rows = await database.query<{ tenant_id: string }>({ name: '', text }, [[listening, silent]]);
  await database.close();
  expect(rows).toStrictEqual([{ tenant_id: listening }]);
});
