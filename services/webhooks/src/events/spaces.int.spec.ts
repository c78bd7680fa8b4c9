// Real: Postgres. Faked: the services that emit the events.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, type CloudEvent } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, fileCompleted, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';

describe('a webhook', () => {
  let kiln: WebhooksHarness;
  let tenantId: string;
  beforeAll(async () => {
    kiln = await startWebhooks();
  });
  beforeEach(() => {
    tenantId = uuidv7();
  });
  afterAll(() => kiln.close());

  const completed = (space: string): CloudEvent => {
    const event = fileCompleted(tenantId);
    return { ...event, data: { ...(event.data as object), space } };
  };
  const jobFailed = (): CloudEvent => {
    const error = { code: 'corrupt_file', message: 'Damaged.', retryable: false };
    const data = { job_id: encodeId('job', uuidv7()), file_id: encodeId('file', uuidv7()), attempts: 1, error };
    return { ...fileCompleted(tenantId), type: 'job.failed', data };
  };
  const create = (more: { spaces?: string[] | null } = {}) => kiln.create(tenantId, 'http://127.0.0.1:9/', more);
  const received = async ({ id }: { id: string }) => {
    const { deliveries } = await kiln.read.list({ id, limit: 50 }, contextOf(tenantId));
    const read = async ({ id: delivery_id }: { id: string }) => {
      const { payload, event_id } = await kiln.read.get({ id, delivery_id }, contextOf(tenantId));
      expect(payload).toStrictEqual((await kiln.listing.get({ id, event_id }, contextOf(tenantId))).payload);
      const { type, data } = payload as { type: string; data: { space?: string } };
      return `${type} ${data.space ?? '-'}`;
    };
    return (await Promise.all(deliveries.map(read))).toSorted();
  };

  it('of some spaces receives events about their files, and no others', async () => {
    const [all, one, two] = [await create(), await create({ spaces: ['a'] }), await create({ spaces: ['b', 'c'] })];
    expect([all.spaces, one.spaces, two.spaces]).toStrictEqual([null, ['a'], ['b', 'c']]);
    await kiln.happen(...['a', 'b', 'c', 'd'].map(completed), jobFailed());
    const done = (space: string) => `file.processing.completed ${space}`;
    expect(await received(one)).toStrictEqual([done('a')]);
    expect(await received(two)).toStrictEqual([done('b'), done('c')]);
    expect(await received(all)).toStrictEqual([...['a', 'b', 'c', 'd'].map(done), 'job.failed -']);
  });

  it('can be given other spaces, and all of them again', async () => {
    const { id } = await create({ spaces: ['a'] });
    const change = (spaces: string[] | null) => kiln.manage.update({ id, spaces }, contextOf(tenantId));
    expect((await change(['b'])).spaces).toStrictEqual(['b']);
    await kiln.happen(completed('a'), completed('b'));
    expect((await change(null)).spaces).toBeNull();
    await kiln.happen(completed('a'));
    expect(await received({ id })).toStrictEqual(['file.processing.completed a', 'file.processing.completed b']);
    expect((await kiln.manage.update({ id, active: false }, contextOf(tenantId))).spaces).toBeNull();
  });

  it('gets each event of a large batch once, however many webhooks a tenant has', async () => {
    const [first] = [await create()];
    await kiln.sql(
      `insert into webhooks (tenant_id, id, organization_id, url, events, secret)
       select tenant_id, uuidv7(), organization_id, url, events, secret from webhooks, generate_series(1, 60)
       where tenant_id = $1`,
      [tenantId],
    );
    const events = Array.from({ length: 100 }, () => completed('a'));
    await kiln.happen(...events);
    await kiln.happen(...events);
    const counts = await kiln.sql<{ count: number }>(
      'select count(*)::int as count from webhook_events where tenant_id = $1 group by webhook_id',
      [tenantId],
    );
    expect(counts).toStrictEqual(Array.from({ length: 61 }, () => ({ count: 100 })));
    expect((await kiln.read.list({ id: first.id, limit: 200 }, contextOf(tenantId))).deliveries).toHaveLength(100);
  });

  it('shows no event of another webhook or tenant', async () => {
    const [one, other] = [await create({ spaces: ['a'] }), await create({ spaces: ['b'] })];
    await kiln.happen(completed('a'));
    const { events } = await kiln.listing.list({ limit: 10 }, contextOf(tenantId));
    const event_id = events[0]?.id ?? '';
    const refusal = (id: string, tenant: string) =>
      kiln.listing.get({ id, event_id }, contextOf(tenant)).catch((error: { code: string }) => error.code);
    expect((await kiln.listing.get({ id: one.id, event_id }, contextOf(tenantId))).id).toBe(event_id);
    expect([await refusal(other.id, tenantId), await refusal(one.id, uuidv7())]).toStrictEqual([
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
  });
});
