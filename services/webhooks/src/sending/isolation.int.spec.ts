// Real: Postgres, sockets on loopback. Replaced in the first test: rescheduling idle webhooks, which takes as long as the test wants.
import { expect, it } from '@jest/globals';
import { testTenantOf, uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { answer, startReceiver } from '../test/receiver.js';
import { fileCompleted, startWebhooks } from '../test/webhooks-harness.js';

it('deliveries go out at once, however long it takes to remove webhooks without deliveries from the queue', async () => {
  const kiln = await startWebhooks();
  const receiver = await startReceiver();
  const tenantId = uuidv7();
  const idle = await kiln.create(tenantId, receiver.url, { events: ['job.failed'] });
  await kiln.create(tenantId, receiver.url, { events: ['file.processing.completed'] });
  await kiln.sql('insert into waiting_webhooks (tenant_id, webhook_id) values ($1, $2)', [
    tenantId,
    uuidOf('webhook', idle.id),
  ]);
  await kiln.happen(fileCompleted(tenantId));
  let finish = () => {};
  const stuck = new Promise<void>((resolve) => (finish = resolve));
  const worker = kiln.newWorker({
    queue: { rescheduleIdle: (webhooks) => stuck.then(() => kiln.endpoints.rescheduleIdle(webhooks)) },
  });
  try {
    await eventually(() => worker.finished.length === 1);
    expect(receiver.received).toHaveLength(1);
    finish();
    await eventually(async () => (await kiln.sql('select 1 from waiting_webhooks')).length === 0);
  } finally {
    finish();
    await worker.stop();
    await receiver.close();
    await kiln.close();
  }
});

it('every delivery to a healthy endpoint goes out while those of another tenant hang on every slot that it may have', async () => {
  const kiln = await startWebhooks();
  const total = 8;
  const ofTenant = total / 2;
  let open = 0;
  const hanging = await startReceiver((response) => {
    open++;
    response.on('close', () => open--);
  });
  const healthy = await startReceiver(answer(204));
  const [dead, alive] = [uuidv7(), uuidv7()];
  // Each endpoint may have two deliveries at first: together twice the total.
  for (let count = 0; count < total; count++) await kiln.create(dead, hanging.url);
  await kiln.create(alive, healthy.url);
  for (let count = 0; count < 3; count++) await kiln.happen(fileCompleted(dead));
  const worker = kiln.newWorker({ total, deadlineMs: 600_000 });
  try {
    await eventually(() => open === ofTenant);
    for (let count = 0; count < 30; count++) await kiln.happen(fileCompleted(alive));
    await eventually(() => worker.finished.length >= 30);
    // No attempt that hangs has ended.
    expect(new Set(worker.finished)).toStrictEqual(new Set(['delivered']));
    expect(healthy.received).toHaveLength(30);
    expect(open).toBe(ofTenant);
  } finally {
    await worker.stop();
    await hanging.close();
    await healthy.close();
    await kiln.close();
  }
});

it('every delivery to a healthy endpoint goes out while forty endpoints of another organization hang that have answered quickly before', async () => {
  const kiln = await startWebhooks();
  const [total, endpoints, each] = [32, 40, 30];
  const ofTenant = total / 2;
  const turning = await startReceiver(answer(204));
  const healthy = await startReceiver(answer(204));
  const [live, alive] = [uuidv7(), uuidv7()];
  // Both tenants of an organization may have endpoints.
  const hostile = [live, testTenantOf(live)];
  for (let count = 0; count < endpoints / 2; count++)
    for (const tenantId of hostile) await kiln.create(tenantId, turning.url);
  await kiln.create(alive, healthy.url);
  const worker = kiln.newWorker({ total, deadlineMs: 600_000 });
  const delivered = (count: number) => eventually(() => expect(worker.finished).toHaveLength(count));
  const happenTo = async (tenantId: string, events: number) => {
    for (let count = 0; count < events; count++) await kiln.happen(fileCompleted(tenantId));
  };
  try {
    // Each endpoint gains slots.
    for (const tenantId of hostile) await happenTo(tenantId, 4);
    await delivered(4 * endpoints);
    let open = 0;
    turning.behave((response) => {
      open++;
      response.on('close', () => open--);
    });
    for (const tenantId of hostile) await happenTo(tenantId, 4);
    await eventually(() => expect(open).toBe(ofTenant));
    const hangingSince = performance.now();
    await happenTo(alive, each);
    await delivered(4 * endpoints + each);
    // By then the deliveries of the hanging endpoints have left the budget of quick ones.
    await eventually(() => performance.now() - hangingSince > 2_000);
    await happenTo(alive, each);
    await delivered(4 * endpoints + 2 * each);
    expect(new Set(worker.finished)).toStrictEqual(new Set(['delivered']));
    expect(healthy.received).toHaveLength(2 * each);
    expect(open).toBe(ofTenant);
  } finally {
    await worker.stop();
    await turning.close();
    await healthy.close();
    await kiln.close();
  }
});
