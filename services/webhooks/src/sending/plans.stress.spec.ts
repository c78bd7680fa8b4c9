// Real: Postgres with 100,000 queued deliveries of 1,000 webhooks, 300,000 finished ones and as many events. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database, Queryable, Statement } from '@kiln/platform';
import { planNodes, rowsExamined, sentBy, type PlanNode, type SentStatement } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';
import { ClaimStore } from './claim.store.js';
import { DeliveryAttemptEntity } from '../deliveries/delivery-attempt.entity.js';
import { DeliveryStore } from '../deliveries/delivery.store.js';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';
import { EventStore } from '../events/event.store.js';
import { OutcomeStore } from './outcome.store.js';
import { ReplayEntity } from '../replays/replay.entity.js';
import { ReplayStore } from '../replays/replay.store.js';

const LARGE = '00000000-0000-7000-8000-00000000000a';
const WEBHOOK = '00000000-0000-4000-8000-0000000000aa';
const FINISHED = 300_000;

/** SQL: a UUIDv7 of a time so many seconds ago. */
const idOf = (seconds: string) =>
  `(left(uuid_floor(now() - make_interval(secs => ${seconds}))::text, 14) || '7' || right(gen_random_uuid()::text, 21))::uuid`;
const TENANT = `overlay(gen_random_uuid()::text placing '7' from 15 for 1)::uuid`;

describe('the statements of deliveries, among hundreds of thousands of rows', () => {
  let kiln: WebhooksHarness;
  beforeAll(async () => {
    kiln = await startWebhooks();
    await kiln.sql(`insert into queued_deliveries (tenant_id, webhook_id, id, event_id, event_type)
      select t, t, ${idOf('1')}, gen_random_uuid(), 'file.created'
      from (select ${TENANT} as t from generate_series(1, 999)) tenants, generate_series(1, 50)`);
    await kiln.sql(
      `insert into queued_deliveries (tenant_id, webhook_id, id, event_id, event_type)
       select $1, $2, ${idOf('1')}, gen_random_uuid(), 'file.created' from generate_series(1, 50000)`,
      [LARGE, WEBHOOK],
    );
    await kiln.sql(`insert into waiting_webhooks (tenant_id, webhook_id)
      select distinct tenant_id, webhook_id from queued_deliveries`);
    const spread = `s * 0.1`;
    await kiln.sql(
      `insert into webhook_events (tenant_id, id, webhook_id, type, created_at, payload)
       select $1, ${idOf(spread)}, case when s % 3 = 0 then $2::uuid else gen_random_uuid() end,
         case when s % 100 = 0 then 'job.failed' else 'file.created' end, now() - make_interval(secs => ${spread}), '{}'
       from generate_series(1, ${FINISHED}) s`,
      [LARGE, WEBHOOK],
    );
    await kiln.sql(`insert into finished_deliveries
        (tenant_id, webhook_id, id, event_id, event_type, status, attempt, created_at)
      select tenant_id, webhook_id, id, id, type, case when random() < 0.01 then 'failed' else 'delivered' end, 1, created_at
      from webhook_events`);
    await kiln.sql('analyze');
  });
  afterAll(() => kiln.close());

  const attempts = () => kiln.database.dataSource.getRepository(DeliveryAttemptEntity);
  const replays = () => kiln.database.dataSource.getRepository(ReplayEntity);

  const planOf = async ({ text, values }: Pick<SentStatement, 'text' | 'values'>) =>
    planNodes(await kiln.sql(`explain (analyze, format json) ${text}`, values));

  /** Counts the rows that a plan has read from tables, filtered ones included. */
  const touched = (nodes: PlanNode[], ...tables: RegExp[]) =>
    nodes
      .filter((node) => tables.some((table) => table.test(node['Relation Name'] ?? '')))
      .filter((node) => !/Modify|Lock/.test(node['Node Type']))
      .reduce((sum, node) => sum + rowsExamined(node), 0);

  const noScans = (nodes: PlanNode[]) => {
    const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Rows'] > 100);
    expect(scans.map((node) => node['Relation Name'])).toStrictEqual([]);
  };

  const limits = {
    deliveries: 128,
    full: [],
    free: new Map(),
    slots: { first: 2, failing: 1 },
    withFailing: true,
    organizations: { running: new Map(), max: 64 },
  };

  it('a claim of 128 reads fewer than 2,000 rows of a queue of 100,000', async () => {
    const sent = await sentBy((recorder) => new ClaimStore(recorder, 30).claim(limits));
    const nodes = await planOf(sent);
    noScans(nodes);
    const rows = touched(nodes, /^queued_deliveries$/, /^waiting_webhooks$/, /^webhook_events/);
    expect(rows).toBeLessThan(2_000);
  });

  it('a claim that finds nothing reads, of the webhooks that are not due, only the next one', async () => {
    const resting = '00000000-0000-4000-8000-0000000000ff';
    await kiln.sql(
      `insert into waiting_webhooks (tenant_id, webhook_id, due_at)
       select $1, gen_random_uuid(), now() + interval '1 hour' from generate_series(1, 20000)`,
      [resting],
    );
    await kiln.sql('analyze waiting_webhooks');
    const full = (
      await kiln.sql<{ webhook_id: string }>('select webhook_id from waiting_webhooks where due_at <= now()')
    ).map(({ webhook_id }) => webhook_id);
    const nodes = await planOf(await sentBy((recorder) => new ClaimStore(recorder, 30).claim({ ...limits, full })));
    await kiln.sql('delete from waiting_webhooks where tenant_id = $1', [resting]);
    noScans(nodes);
    const rows = touched(nodes, /^waiting_webhooks$/);
    expect(rows).toBeLessThanOrEqual(2 * full.length + 2);
  });

  it('events are recorded and queued, and webhooks postponed, by key', async () => {
    const row = (index: number) => ({
      tenantId: LARGE,
      webhookId: WEBHOOK,
      eventId: uuidv7(),
      type: 'file.created',
      createdAt: new Date().toISOString(),
      payload: '{}',
      deliveryId: index % 2 === 0 ? uuidv7() : null,
    });
    const rows = Array.from({ length: 100 }, (_, index) => row(index));
    const recording = await planOf(await sentBy((recorder) => new EventStore(recorder).record(rows)));
    noScans(recording);
    const known = touched(recording, /^waiting_webhooks$/, /^webhooks$/);
    expect(known).toBeLessThanOrEqual(2);
    const webhooks = [{ tenantId: LARGE, webhookId: WEBHOOK }];
    const sent: { text: string; values: unknown[] }[] = [];
    const recorder = {
      transaction: (work: (on: Queryable) => Promise<unknown>) =>
        work({
          query: ({ text }: Statement, values: unknown[] = []) => {
            sent.push({ text, values });
            return Promise.resolve([{ tenant_id: LARGE, webhook_id: WEBHOOK }] as never[]);
          },
        }),
    } as unknown as Database;
    await new EndpointQueueStore(recorder).rescheduleIdle(webhooks);
    for (const one of sent) {
      const nodes = await planOf(one);
      noScans(nodes);
      expect(touched(nodes, /^waiting_webhooks$/)).toBeLessThanOrEqual(4);
    }
    expect(sent).toHaveLength(2);
  });

  it('outcomes are written by key', async () => {
    const { deliveries } = await kiln.claims.claim(limits);
    expect(deliveries.length).toBeGreaterThan(0);
    const outcomes = deliveries.map(({ tenant_id, webhook_id, id, attempt }) => ({
      tenant_id,
      webhook_id,
      delivery_id: id,
      attempt,
      verdict: 'delivered' as const,
      attempted: true,
      attempted_at_ms: Date.now(),
      status_code: 200,
      duration_ms: 3,
      response_body: '',
    }));
    const sent = await sentBy((recorder) => new OutcomeStore(recorder).record(outcomes));
    const nodes = await planOf(sent);
    noScans(nodes);
    const rows = touched(nodes, /^queued_deliveries$/);
    expect(rows).toBeLessThanOrEqual(outcomes.length * 2);
  });

  it('pages of deliveries and events are read from their indexes, filters included', async () => {
    const before = '01b00000-0000-7000-8000-000000000000';
    const page = { tenantId: LARGE, webhookId: WEBHOOK, limit: 51 };
    const queries = [
      await sentBy((recorder) => new DeliveryStore(recorder, attempts()).list(page)),
      await sentBy((recorder) => new DeliveryStore(recorder, attempts()).list({ ...page, before })),
      await sentBy((recorder) => new DeliveryStore(recorder, attempts()).list({ ...page, status: 'failed' })),
      await sentBy((recorder) => new DeliveryStore(recorder, attempts()).list({ ...page, status: 'pending' })),
      await sentBy((recorder) => new EventStore(recorder).list({ tenantId: LARGE, limit: 51 })),
      await sentBy((recorder) => new EventStore(recorder).list({ tenantId: LARGE, before, limit: 51 })),
      await sentBy((recorder) => new EventStore(recorder).list({ tenantId: LARGE, type: 'job.failed', limit: 51 })),
    ];
    for (const sent of queries) {
      const nodes = await planOf(sent);
      noScans(nodes);
      const rows = touched(nodes, /_deliveries/, /webhook_events/);
      expect(rows).toBeLessThan(1_500);
    }
  });

  it('a replay counts its window, and reads a page of it, by the index of its webhook', async () => {
    const window = {
      tenantId: LARGE,
      webhookId: WEBHOOK,
      since: new Date(Date.now() - 3_600_000),
      until: new Date(),
      eventTypes: ['job.failed'],
    };
    const sent = await sentBy((recorder) => new ReplayStore(recorder, replays()).count('replay', window));
    const nodes = await planOf(sent);
    noScans(nodes);
    const rows = touched(nodes, /webhook_events/);
    // An hour holds 36,000 of the tenant's events. A third of them belong to this webhook.
    expect(rows).toBeLessThan(16_000);

    const [first] = await kiln.sql<{ id: string }>(`select uuid_floor($1) as id`, [window.since]);
    const replay = {
      tenant_id: LARGE,
      id: WEBHOOK,
      webhook_id: WEBHOOK,
      kind: 'replay' as const,
      since: window.since,
      until: window.until,
      event_types: window.eventTypes,
      position: first?.id ?? '',
    };
    const page = await planOf(
      await sentBy((recorder) => new ReplayStore(recorder, replays()).nextBatch(recorder, replay, 500)),
    );
    noScans(page);
    expect(touched(page, /webhook_events/)).toBeLessThan(2_000);
  });
});
