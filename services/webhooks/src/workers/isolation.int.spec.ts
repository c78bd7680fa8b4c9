// Real: Postgres, sockets on loopback. Replaced: putting webhooks away, which takes as long as the test wants.
import { uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { startReceiver } from '../test/receiver.js';
import { fileCompleted, startWebhooks } from '../test/webhooks-harness.js';

it('deliveries go out at once, however long it takes to put away webhooks that have none', async () => {
  const kiln = await startWebhooks();
  const receiver = await startReceiver();
  const tenantId = uuidv7();
  const idle = await kiln.create(tenantId, receiver.url, { events: ['job.failed'] });
  await kiln.create(tenantId, receiver.url, { events: ['file.processing.completed'] });
  await kiln.sql('insert into waiting_webhooks (tenant_id, webhook_id, due_at) values ($1, $2, now())', [
    tenantId,
    uuidOf('webhook', idle.id),
  ]);
  await kiln.happen(fileCompleted(tenantId));
  let finish = () => {};
  const stuck = new Promise<void>((resolve) => (finish = resolve));
  const worker = kiln.newWorker({
    queue: { settle: (webhooks) => stuck.then(() => kiln.endpoints.settle(webhooks)) },
  });
  try {
    await eventually(() => worker.settled.length === 1);
    assert.equal(receiver.received.length, 1);
    finish();
    await eventually(async () => (await kiln.sql('select 1 from waiting_webhooks')).length === 0);
  } finally {
    finish();
    await worker.stop();
    await receiver.close();
    await kiln.close();
  }
});
