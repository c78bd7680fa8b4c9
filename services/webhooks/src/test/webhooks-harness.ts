// What the integration specs share: the stores and use cases of this service on a real, migrated database of their own, and a
// worker that delivers to receivers on loopback.
import {
  encodeId,
  type CallContext,
  type CloudEvent,
  type OperationInput,
  type webhooksOperations,
} from '@kiln/contracts';
import { OutboundPolicy } from '@kiln/outbound';
import { Database, migrateService, Sealer, type EventsContext, type WakeUp } from '@kiln/platform';
import { createTestDatabase } from '@kiln/testing';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { ClaimStore, type ClaimedDelivery } from '../store/claim.store.js';
import { DeliveryStore } from '../store/delivery.store.js';
import { EndpointQueueStore } from '../store/endpoint-queue.store.js';
import { EventStore } from '../store/event.store.js';
import { OutcomeStore } from '../store/outcome.store.js';
import { PartitionStore } from '../store/partition.store.js';
import { ReplayStore } from '../store/replay.store.js';
import { WebhookStore } from '../store/webhook.store.js';
import { DeliverAgain } from '../usecases/deliver-again.usecase.js';
import { FanOut } from '../usecases/fan-out.usecase.js';
import { ManageWebhooks } from '../usecases/manage-webhooks.usecase.js';
import { ReadDeliveries } from '../usecases/read-deliveries.usecase.js';
import { silentLogger, startWorker, type WorkerOptions } from './test-worker.js';
import { ReplayWorker } from '../workers/replay.worker.js';

type Ops = typeof webhooksOperations;

export const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

export const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 60_000,
});

export function openDatabase(url: string): Database {
  return new Database({ url, schema: 'webhooks', connectionsMax: 10, statementTimeoutMs: 20_000 }, () => undefined);
}

/** A finished file, as the jobs service tells it. */
export function fileCompleted(tenantId: string, overrides: Partial<CloudEvent> = {}): CloudEvent {
  return {
    specversion: '1.0',
    id: uuidv7(),
    source: '/kiln/jobs',
    type: 'file.processing.completed',
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    tenantid: tenantId,
    mode: 'live',
    data: {
      file_id: encodeId('file', uuidv7()),
      job_id: encodeId('job', uuidv7()),
      space: 'default',
      filename: 'report.pdf',
      content_type: 'application/pdf',
      provider: 'document_extractor',
      variants: ['markdown'],
      fence: 1,
    },
    ...overrides,
  };
}

export type WebhooksHarness = Awaited<ReturnType<typeof startWebhooks>>;

async function openParts(allow: string) {
  const created = await createTestDatabase();
  await migrateService({ service: 'webhooks', directory: MIGRATIONS, databaseUrl: created.url });
  const database = openDatabase(created.url);
  const partitions = new PartitionStore(database);
  await partitions.ensure(new Date(), 2);
  return {
    created,
    database,
    partitions,
    endpoints: new EndpointQueueStore(database),
    webhooks: new WebhookStore(database),
    events: new EventStore(database),
    deliveries: new DeliveryStore(database),
    replays: new ReplayStore(database),
    policy: new OutboundPolicy({ allow }),
    sealer: new Sealer(ENCRYPTION_KEY),
  };
}

/** Every table of this service. */
const TABLES = [
  'queued_deliveries',
  'waiting_webhooks',
  'webhooks',
  'webhook_events',
  'settled_deliveries',
  'delivery_attempts',
  'replays',
  'outbox',
];

/** One by one: none is held while another is waited for, which a worker at rest may be looking at. */
async function emptyTables(database: Database): Promise<void> {
  for (const table of TABLES) await database.query({ name: '', text: `delete from ${table}` });
}

/** As the inbox would run it. `crash` may throw before the commit. */
const happenTo =
  (fanOut: FanOut, database: Database) =>
  async (event: CloudEvent, crash = () => {}): Promise<void> => {
    const hints: (() => void)[] = [];
    const afterCommit = (work: () => void) => void hints.push(work);
    const once: EventsContext['once'] = (events, work) =>
      database.transaction(async (transaction) => {
        await work(events, { transaction, afterCommit });
        crash();
      });
    await fanOut.execute(event.type, [event], { once });
    for (const hint of hints) hint();
  };

export async function startWebhooks(allow = '127.0.0.0/8') {
  const { created, ...parts } = await openParts(allow);
  const { database, endpoints, webhooks, events, deliveries, replays, policy, sealer } = parts;
  const listeners = new Set<() => void>();
  const ring = () => listeners.forEach((listener) => listener());
  const wakeUp = { send: ring } as unknown as WakeUp;
  const fanOut = new FanOut(webhooks, events, endpoints, wakeUp);
  const manage = new ManageWebhooks(webhooks, policy, sealer);
  const sql = <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
    database.query({ name: '', text }, values);

  const newWorker = (options: WorkerOptions = {}) => startWorker({ database, policy, sealer, listeners }, options);
  const claims = new ClaimStore(database, 45);
  const limits = { deliveries: 100, full: [], free: new Map(), slots: { first: 100, failing: 100 }, withFailing: true };
  return {
    ...parts,
    databaseUrl: created.url,
    claims,
    limits,
    outcomes: new OutcomeStore(database),
    manage,
    read: new ReadDeliveries(webhooks, deliveries, events),
    again: new DeliverAgain({ database, webhooks, events, deliveries, endpoints, replays, wakeUp }),
    replayWorker: new ReplayWorker({ database, replays, deliveries, endpoints, onQueued: ring, logger: silentLogger }),
    sql,
    happen: happenTo(fanOut, database),
    newWorker,
    /** Makes a webhook to this URL, over the use case. */
    create: (tenantId: string, url: string, more: Partial<OperationInput<Ops['createWebhook']>> = {}) =>
      manage.create(
        {
          id: encodeId('webhook', uuidv7()),
          org_id: encodeId('organization', uuidv7()),
          url,
          events: ['*'],
          headers: {},
          ...more,
        },
        contextOf(tenantId),
      ),
    /** Claims what is due now. */
    claimAll: async (): Promise<ClaimedDelivery[]> => {
      for (;;) {
        const { deliveries, idle } = await claims.claim(limits);
        if (idle.length > 0) await endpoints.settle(idle);
        if (deliveries.length > 0) return deliveries;
        if (idle.length === 0 && (await claims.nextDueInMs(limits)) !== 0) return [];
      }
    },
    /** Makes every queued delivery due now. */
    hurry: async () => {
      await sql('update queued_deliveries set due_at = now()');
      await sql(`insert into waiting_webhooks (tenant_id, webhook_id, due_at)
                 select distinct tenant_id, webhook_id, now() from queued_deliveries
                 on conflict (tenant_id, webhook_id) do update set due_at = now()`);
      ring();
    },
    /** Types of the events in the outbox, in order. */
    emitted: async () =>
      (await sql<{ type: string }>('select type from outbox order by sequence')).map(({ type }) => type),
    clear: () => emptyTables(database),
    close: async () => {
      await database.close();
      await created.drop();
    },
  };
}

export function only<Item>(items: readonly Item[]): Item {
  assert.equal(items.length, 1);
  return items[0] as Item;
}
