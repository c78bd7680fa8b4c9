// Real: the compiled service, Postgres, NATS with JetStream, a receiver on loopback. Faked: the service that states the event.
import { encodeId, webhooksOperations } from '@kiln/contracts';
import { connectBus, eventSubject, RpcClient, type NatsConnection } from '@kiln/platform';
import { eventually, startTestService, testNats, type TestService } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { startReceiver, type Receiver } from '../test/receiver.js';
import { silentLogger } from '../test/test-worker.js';
import { contextOf, ENCRYPTION_KEY, fileCompleted } from '../test/webhooks-harness.js';

let service: TestService;
let connection: NatsConnection;
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
  const environment = { KILN_ENCRYPTION_KEY: ENCRYPTION_KEY, KILN_OUTBOUND_ALLOW: '127.0.0.1' };
  service = await startTestService({ name: 'webhooks', role: 'all', environment });
  connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
});
after(async () => {
  await service.stop();
  await connection.close();
  await receiver.close();
});

it('an event that the broker delivers five times makes one delivery, and one that follows makes the next', async () => {
  const tenantId = uuidv7();
  const rpc = new RpcClient(connection, service.namespace);
  const webhook = await rpc.call(
    webhooksOperations.createWebhook,
    {
      id: encodeId('webhook', uuidv7()),
      org_id: encodeId('organization', uuidv7()),
      url: receiver.url,
      events: ['file.processing.completed'],
    },
    contextOf(tenantId),
  );
  const publish = (event: object) =>
    connection.publish(eventSubject(service.namespace, 'file.processing.completed'), JSON.stringify(event));
  const event = fileCompleted(tenantId);
  // Without an id of the message, so that the stream takes each for a new one.
  for (let time = 0; time < 5; time++) publish(event);
  publish(fileCompleted(tenantId));
  await eventually(() => receiver.received.length >= 2);
  const { deliveries } = await eventually(async () => {
    const page = await rpc.call(webhooksOperations.listDeliveries, { id: webhook.id }, contextOf(tenantId));
    assert.ok(page.deliveries.length >= 2 && page.deliveries.every(({ status }) => status === 'delivered'));
    return page;
  });
  assert.equal(deliveries.length, 2);
  assert.equal(receiver.received.length, 2);
});
