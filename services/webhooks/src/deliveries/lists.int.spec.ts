// Real: Postgres. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, MESSAGE_BYTES_MAX, uuidOf, webhooksOperations } from '@kiln/contracts';
import { planNodes, sentBy } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { EventStore } from '../events/event.store.js';
import { contextOf, fileCompleted, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';

describe('the lists', () => {
  let kiln: WebhooksHarness;
  const tenantId = uuidv7();
  const context = contextOf(tenantId);
  beforeAll(async () => {
    kiln = await startWebhooks();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  it('of deliveries show each exactly once, newest first, while they are finished and new ones come', async () => {
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
          insert into finished_deliveries (tenant_id, webhook_id, id, event_id, event_type, status, attempt, created_at)
          select tenant_id, webhook_id, id, event_id, event_type, 'delivered', attempt, created_at from gone`,
          [oldest.id],
        );
        await kiln.sql(`update queued_deliveries set lease_expires_at = '-infinity'`);
      }
    } while (cursor);
    expect(seen).toStrictEqual(present.sort().toReversed());
  });

  it('of events read the deliveries of the days since the events, and of no other day', async () => {
    await kiln.create(tenantId, 'http://127.0.0.1:9/');
    for (let index = 0; index < 10; index++) await kiln.happen(fileCompleted(tenantId));
    await kiln.sql(`update webhook_events set created_at = now() - interval '2 days'`);
    const { text, values } = await sentBy((recorder) => new EventStore(recorder).list({ tenantId, limit: 50 }));
    const nodes = planNodes(await kiln.sql(`explain (analyze, format json) ${text}`, values));
    const read = nodes.filter((node) => node['Actual Loops'] > 0).map((node) => node['Relation Name'] ?? '');
    // Ten minutes more on either side, for clocks that differ.
    const [{ days } = { days: [] }] = await kiln.sql<{ days: string[] }>(
      `select array_agg(to_char(day, 'YYYYMMDD')) as days from generate_series(
         (now() - interval '2 days 10 minutes') at time zone 'UTC',
         date_trunc('day', (now() + interval '10 minutes') at time zone 'UTC') + interval '1 day' - interval '1 second', interval '1 day') as day`,
    );
    expect(new Set(read.filter((name) => name.startsWith('finished_deliveries')))).toStrictEqual(
      new Set(days.map((day) => `finished_deliveries_${day}`)),
    );
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
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(MESSAGE_BYTES_MAX);
      for (const { response_body: body } of page.deliveries) expect(body).toHaveLength(1_024);
      seen.push(...page.deliveries.map((delivery) => delivery.id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect([seen.length, new Set(seen).size]).toStrictEqual([205, 205]);
  });

  it('are filtered by status and type', async () => {
    const { id } = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    await kiln.happen(fileCompleted(tenantId));
    await kiln.again.test({ id }, context);
    const count = async (filter: object) =>
      (await kiln.read.list({ id, limit: 50, ...filter }, context)).deliveries.length;
    expect([await count({}), await count({ status: 'pending' }), await count({ status: 'failed' })]).toStrictEqual([
      2, 2, 0,
    ]);
    expect([
      await count({ event_type: 'webhook.test' }),
      await count({ event_type: 'job.failed', status: 'pending' }),
    ]).toStrictEqual([1, 0]);
    const { events } = await kiln.listing.list({ limit: 50, event_type: 'webhook.test' }, context);
    expect(events.map((event) => [event.type, event.delivered])).toStrictEqual([['webhook.test', false]]);
  });

  it('refuse a cursor of another list, webhook or tenant', async () => {
    const one = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const other = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    for (let index = 0; index < 2; index++) await kiln.happen(fileCompleted(tenantId));
    const { next_cursor: cursor } = await kiln.read.list({ id: one.id, limit: 1 }, context);
    if (!cursor) throw new Error('no cursor');
    await expect(kiln.read.list({ id: other.id, limit: 1, cursor }, context)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(kiln.listing.list({ limit: 1, cursor }, context)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const stranger = contextOf(uuidv7());
    await expect(kiln.read.list({ id: one.id, limit: 1, cursor }, stranger)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  /** Adds webhooks like the newest one. */
  const addWebhooks = (count: number) =>
    kiln.sql(
      `insert into webhooks (tenant_id, id, organization_id, url, events, secret)
       select tenant_id, uuidv7(), organization_id, url, events, secret
       from (select * from webhooks where tenant_id = $1 order by id desc limit 1) w, generate_series(1, $2)`,
      [tenantId, count],
    );
  const webhooks = async () => {
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await kiln.manage.list({ limit: 170, ...(cursor && { cursor }) }, context);
      ids.push(...page.webhooks.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return ids;
  };

  it('of webhooks are paged, the oldest first, without those of other tenants', async () => {
    const first = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    await kiln.create(uuidv7(), 'http://127.0.0.1:9/');
    await addWebhooks(400);
    const last = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const ids = await webhooks();
    expect([ids.length, new Set(ids).size, ids[0], ids.includes(last.id)]).toStrictEqual([402, 402, first.id, true]);
  });

  it('hold at most 1,000 webhooks, all of them on one page unless a limit is given; creating one twice makes one, and answers the same secret', async () => {
    const id = encodeId('webhook', uuidv7());
    const [first, second] = [
      await kiln.create(tenantId, 'http://127.0.0.1:9/', { id }),
      await kiln.create(tenantId, 'http://127.0.0.1:9/', { id }),
    ];
    expect(first.secret).toBe(second.secret);
    await addWebhooks(999);
    const all = await kiln.manage.list(webhooksOperations.listWebhooks.input.parse({}), context);
    expect([all.webhooks.length, all.next_cursor]).toStrictEqual([1_000, null]);
    await expect(kiln.create(tenantId, 'http://127.0.0.1:9/')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await webhooks()).toHaveLength(1_000);
    // A repeated call creates no second webhook.
    expect((await kiln.create(tenantId, 'http://127.0.0.1:9/', { id })).id).toBe(id);
  });

  it('hold at most 1,000 webhooks, however many are created at once', async () => {
    await kiln.create(tenantId, 'http://127.0.0.1:9/');
    await addWebhooks(994);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => kiln.create(tenantId, 'http://127.0.0.1:9/')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of results) {
      if (result.status === 'rejected') expect((result.reason as { code: string }).code).toBe('CONFLICT');
    }
    expect(await webhooks()).toHaveLength(1_000);
  });

  it('of replays under way hold at most ten for each webhook, however many are asked for at once', async () => {
    const { id } = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    await kiln.happen(fileCompleted(tenantId));
    const since = new Date(Date.now() - 60_000).toISOString();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => kiln.replaying.replay({ id, since }, context)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await kiln.sql('select 1 from replays')).toHaveLength(10);
  });

  it('of a replay is closed before it begins: an inactive webhook, a window upside down', async () => {
    const { id } = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const [since, until] = ['2026-11-22T00:00:00Z', '2026-11-21T00:00:00Z'];
    await expect(kiln.replaying.replay({ id, since, until }, context)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await kiln.manage.update({ id, active: false }, context);
    await expect(kiln.replaying.replay({ id, since: until }, context)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
