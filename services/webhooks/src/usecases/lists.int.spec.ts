// Real: Postgres. Faked: nothing.
import { encodeId, MESSAGE_BYTES_MAX, uuidOf } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, fileCompleted, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';

describe('the lists', () => {
  let kiln: WebhooksHarness;
  const tenantId = uuidv7();
  const context = contextOf(tenantId);
  before(async () => {
    kiln = await startWebhooks();
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  it('of deliveries show each exactly once, newest first, while they are settled and new ones come', async () => {
    const { id } = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    for (let index = 0; index < 25; index++) await kiln.happen(fileCompleted(tenantId));
    const present = (await kiln.sql<{ id: string }>('select id from queued_deliveries')).map((row) => row.id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await kiln.read.list({ id, limit: 4, cursor }, context);
      seen.push(...page.deliveries.map((delivery) => uuidOf('delivery', delivery.id)));
      cursor = page.next_cursor ?? undefined;
      await kiln.happen(fileCompleted(tenantId));
      const [oldest] = await kiln.claimAll();
      if (oldest) {
        await kiln.sql(
          `with gone as (delete from queued_deliveries where id = $1 returning *)
          insert into settled_deliveries (tenant_id, webhook_id, id, event_id, event_type, status, attempt, created_at)
          select tenant_id, webhook_id, id, event_id, event_type, 'delivered', attempt, created_at from gone`,
          [oldest.id],
        );
        await kiln.sql(`update queued_deliveries set leased_until = '-infinity'`);
      }
    } while (cursor);
    assert.deepEqual(seen, present.sort().toReversed());
  });

  it('of deliveries fit into a message, whatever the endpoints have answered', async () => {
    const { id } = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    for (let index = 0; index < 205; index++) await kiln.happen(fileCompleted(tenantId));
    await kiln.sql(
      `insert into delivery_attempts (tenant_id, delivery_id, attempt, attempted_at, status_code, response_body)
       select tenant_id, id, 1, now(), 500, repeat(chr(1), 1024) from queued_deliveries`,
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await kiln.read.list({ id, limit: 200, cursor }, context);
      assert.ok(Buffer.byteLength(JSON.stringify(page)) <= MESSAGE_BYTES_MAX);
      assert.ok(page.deliveries.every(({ response_body: body }) => body?.length === 1_024));
      seen.push(...page.deliveries.map((delivery) => delivery.id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    assert.deepEqual([seen.length, new Set(seen).size], [205, 205]);
  });

  it('are filtered by status and type', async () => {
    const { id } = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    await kiln.happen(fileCompleted(tenantId));
    await kiln.again.test({ id }, context);
    const count = async (filter: object) =>
      (await kiln.read.list({ id, limit: 50, ...filter }, context)).deliveries.length;
    assert.deepEqual(
      [await count({}), await count({ status: 'pending' }), await count({ status: 'failed' })],
      [2, 2, 0],
    );
    assert.deepEqual(
      [await count({ event_type: 'webhook.test' }), await count({ event_type: 'job.failed', status: 'pending' })],
      [1, 0],
    );
    const { events } = await kiln.read.listEvents({ limit: 50, event_type: 'webhook.test' }, context);
    assert.deepEqual(
      events.map((event) => [event.type, event.delivered]),
      [['webhook.test', false]],
    );
  });

  it('refuse a cursor of another list, webhook or tenant', async () => {
    const one = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const other = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    for (let index = 0; index < 2; index++) await kiln.happen(fileCompleted(tenantId));
    const { next_cursor: cursor } = await kiln.read.list({ id: one.id, limit: 1 }, context);
    assert.ok(cursor);
    await assert.rejects(kiln.read.list({ id: other.id, limit: 1, cursor }, context), { code: 'BAD_REQUEST' });
    await assert.rejects(kiln.read.listEvents({ limit: 1, cursor }, context), { code: 'BAD_REQUEST' });
    const stranger = contextOf(uuidv7());
    await assert.rejects(kiln.read.list({ id: one.id, limit: 1, cursor }, stranger), { code: 'NOT_FOUND' });
  });

  it('hold at most 100 webhooks; creating one twice makes one, and answers the same secret', async () => {
    const id = encodeId('webhook', uuidv7());
    const [first, second] = [
      await kiln.create(tenantId, 'http://127.0.0.1:9/', { id }),
      await kiln.create(tenantId, 'http://127.0.0.1:9/', { id }),
    ];
    assert.equal(first.secret, second.secret);
    for (let count = 1; count < 100; count++) await kiln.create(tenantId, 'http://127.0.0.1:9/');
    await assert.rejects(kiln.create(tenantId, 'http://127.0.0.1:9/'), { code: 'CONFLICT' });
    assert.equal((await kiln.manage.list(context)).webhooks.length, 100);
    assert.equal((await kiln.create(tenantId, 'http://127.0.0.1:9/', { id })).id, id, 'a repeat is no new one');
  });

  it('hold at most 100 webhooks, however many are created at once', async () => {
    for (let count = 0; count < 95; count++) await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => kiln.create(tenantId, 'http://127.0.0.1:9/')),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5);
    for (const result of results) {
      if (result.status === 'rejected') assert.equal((result.reason as { code: string }).code, 'CONFLICT');
    }
    assert.equal((await kiln.manage.list(context)).webhooks.length, 100);
  });

  it('of replays under way hold at most ten for each webhook, however many are asked for at once', async () => {
    const { id } = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    await kiln.happen(fileCompleted(tenantId));
    const since = new Date(Date.now() - 60_000).toISOString();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => kiln.again.replay({ id, since }, context)),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 10);
    assert.equal((await kiln.sql('select 1 from replays')).length, 10);
  });

  it('of a replay is closed before it begins: an inactive webhook, a window upside down', async () => {
    const { id } = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const [since, until] = ['2026-11-22T00:00:00Z', '2026-11-21T00:00:00Z'];
    await assert.rejects(kiln.again.replay({ id, since, until }, context), { code: 'BAD_REQUEST' });
    await kiln.manage.update({ id, active: false }, context);
    await assert.rejects(kiln.again.replay({ id, since: until }, context), { code: 'CONFLICT' });
  });
});
