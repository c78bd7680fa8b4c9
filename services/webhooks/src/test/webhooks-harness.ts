// The fixture of the integration specs: the stores and use cases of this service on a separate migrated database, and a worker that
// delivers to receivers on loopback.
import { expect } from '@jest/globals';
import {
  encodeId,
  type CallContext,
  type CloudEvent,
  type OperationInput,
  type webhooksOperations,
} from '@kiln/contracts';
import { OutboundPolicy } from '@kiln/outbound';
import { Database, DayPartitions, migrateService, Sealer, type WakeUp } from '@kiln/platform';
import { createTestDatabase, TEST_DATABASE_TIMEOUTS } from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { SendDelivery } from '../deliveries/send-delivery.usecase.js';
import { DeliveryAttemptEntity } from '../deliveries/delivery-attempt.entity.js';
import { DeliveryStore } from '../deliveries/delivery.store.js';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';
import { ReadDeliveries } from '../deliveries/read-deliveries.usecase.js';
import { entities } from '../entities.js';
import { EventStore } from '../events/event.store.js';
import { FanOut } from '../events/fan-out.usecase.js';
import { ReadEvents } from '../events/read-events.usecase.js';
import { EVENT_DAYS } from '../maintenance/maintenance.worker.js';
import { migrations } from '../migrations/index.js';
import { ReplayEvents } from '../replays/replay-events.usecase.js';
import { ReplayEntity } from '../replays/replay.entity.js';
import { ReplayStore } from '../replays/replay.store.js';
import { ReplayWorker } from '../replays/replay.worker.js';
import { ClaimStore, type ClaimedDelivery } from '../sending/claim.store.js';
import { OutcomeStore } from '../sending/outcome.store.js';
import { KnownWebhooks } from '../webhooks/known-webhooks.service.js';
import { ManageWebhooks } from '../webhooks/manage-webhooks.usecase.js';
import { Subscribers } from '../webhooks/subscribers.service.js';
import { silentLogger, startWorker, webhookStore, type WorkerOptions } from './test-worker.js';

type Ops = typeof webhooksOperations;

export const ENCRYPTION_KEY = randomBytes(32).toString('base64');

export const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 3_600_000,
});

export function openDatabase(url: string): Promise<Database> {
  return Database.open(
    {
      url,
      schema: 'webhooks',
      entities,
      byIndex: true,
      connectionsMax: 10,
      ...TEST_DATABASE_TIMEOUTS,
    },
    () => undefined,
  );
}

/** The event of a completed file, as the jobs service emits it. */
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
      duration_ms: 12,
    },
    ...overrides,
  };
}

export type WebhooksHarness = Awaited<ReturnType<typeof startWebhooks>>;

async function openParts(allow: string) {
  const created = await createTestDatabase();
  await migrateService({ service: 'webhooks', migrations, databaseUrl: created.url });
  const database = await openDatabase(created.url);
  const partitions = new DayPartitions(database, EVENT_DAYS);
  await partitions.ensure(new Date());
  return {
    created,
    database,
    partitions,
    endpoints: new EndpointQueueStore(database),
    webhooks: webhookStore(database),
    events: new EventStore(database),
    deliveries: new DeliveryStore(database, database.dataSource.getRepository(DeliveryAttemptEntity)),
    replays: new ReplayStore(database, database.dataSource.getRepository(ReplayEntity)),
    policy: new OutboundPolicy({ allow }),
    sealer: new Sealer(ENCRYPTION_KEY),
  };
}

type Parts = Omit<Awaited<ReturnType<typeof openParts>>, 'created'>;

/** The use cases, wired as in the modules. */
function usecasesOf(parts: Parts, wakeUp: WakeUp) {
  const { database, webhooks, events, deliveries, replays, policy, sealer } = parts;
  const subscribers = new Subscribers(webhooks);
  const known = new KnownWebhooks(webhooks);
  const reading = new ReadDeliveries(known, deliveries);
  const listing = new ReadEvents(known, events);
  const again = new SendDelivery(database, known, events, deliveries, wakeUp);
  const replaying = new ReplayEvents(known, replays, wakeUp);
  return {
    manage: new ManageWebhooks(webhooks, policy, sealer, { announce: () => subscribers.forget() }),
    fanOut: new FanOut(subscribers, events, wakeUp),
    read: reading,
    listing,
    again,
    replaying,
  };
}

const TABLES = [
  'queued_deliveries',
  'waiting_webhooks',
  'webhooks',
  'webhook_events',
  'finished_deliveries',
  'delivery_attempts',
  'replays',
  'outbox',
];

/** The tables are emptied one by one, so that no lock is held while another is waited for. An idle worker may be reading a table. */
async function emptyTables(database: Database): Promise<void> {
  for (const table of TABLES) await database.query({ name: '', text: `delete from ${table}` });
}

export async function startWebhooks(allow = '127.0.0.0/8') {
  const { created, ...parts } = await openParts(allow);
  const { database, endpoints, deliveries, replays, policy, sealer } = parts;
  const listeners = new Set<() => void>();
  const ring = () => listeners.forEach((listener) => listener());
  const wakeUp = { send: ring } as unknown as WakeUp;
  const usecases = usecasesOf(parts, wakeUp);
  const { manage, fanOut } = usecases;
  const sql = <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
    database.query({ name: '', text }, values);

  const newWorker = (options: WorkerOptions = {}) => startWorker({ database, policy, sealer, listeners }, options);
  const claims = new ClaimStore(database, 45);
  const limits = {
    deliveries: 100,
    full: [],
    free: new Map(),
    slots: { first: 100, failing: 100 },
    withFailing: true,
    organizations: { running: new Map(), max: 100 },
  };
  return {
    ...parts,
    databaseUrl: created.url,
    claims,
    limits,
    outcomes: new OutcomeStore(database),
    ...usecases,
    replayWorker: new ReplayWorker(database, replays, deliveries, { wakeUp: ring }, silentLogger),
    sql,
    /** Handles events as the broker delivers them. */
    happen: (...events: CloudEvent[]) => fanOut.execute(events),
    newWorker,
    /** Creates a webhook for this URL with the use case. */
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
    /** Claims all due deliveries. */
    claimAll: async (): Promise<ClaimedDelivery[]> => {
      for (;;) {
        const { deliveries, idle, nextInMs } = await claims.claim(limits);
        if (idle.length > 0) await endpoints.rescheduleIdle(idle);
        if (deliveries.length > 0) return deliveries;
        if (idle.length === 0 && nextInMs !== 0) return [];
      }
    },
    /** Makes every queued delivery due now. */
    hurry: async () => {
      await sql(`update queued_deliveries set due_at = now() - interval '1 minute'`);
      await sql(`insert into waiting_webhooks (tenant_id, webhook_id)
                 select distinct tenant_id, webhook_id from queued_deliveries
                 on conflict (tenant_id, webhook_id) do update set due_at = now() - interval '1 minute'`);
      ring();
    },
    /** Returns the types of the events in the outbox, in order. */
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
  expect(items).toHaveLength(1);
  return items[0] as Item;
}
