// A delivery worker wired as in the worker role, with options for tests.
import { createGuardedAgent, type OutboundPolicy } from '@kiln/outbound';
import { createLogger, type Database, type Logger, type Sealer } from '@kiln/platform';
import { EndpointDirectory } from '../sending/endpoint-directory.service.js';
import { HttpSender } from '../sending/http-sender.adapter.js';
import { EndpointSlots } from '../sending/domain/endpoint-slots.js';
import { ClaimStore } from '../sending/claim.store.js';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';
import { OutcomeStore } from '../sending/outcome.store.js';
import { WebhookEntity } from '../webhooks/webhook.entity.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { DeliveryWorker } from '../sending/delivery.worker.js';
import { OutcomeWriter } from '../sending/outcome-writer.service.js';

export const silentLogger: Logger = createLogger(
  { service: 'webhooks', role: 'all', level: 'error' },
  { write: () => {} },
);

export const webhookStore = (database: Database): WebhookStore =>
  new WebhookStore(database, database.dataSource.getRepository(WebhookEntity));

/** Longer than a busy machine stands still. */
const PATIENT_MS = 60_000;

export interface WorkerOptions {
  /** Default 60,000. The lease is twice as long. */
  deadlineMs?: number;
  total?: number;
  perEndpoint?: number;
  proxyUrl?: string;
  /** Default 1,000. Specs often make rows due by SQL, which wakes no worker. */
  pollMs?: number;
  queue?: Pick<EndpointQueueStore, 'rescheduleIdle'>;
  webhooks?: WebhookStore;
  /** A separate connection to the database, for example one that can be cut. */
  database?: Database;
}

export interface WorkerParts {
  database: Database;
  policy: OutboundPolicy;
  sealer: Sealer;
  /** Called when something may be due. */
  listeners: Set<() => void>;
}

export function startWorker({ policy, sealer, listeners, ...parts }: WorkerParts, options: WorkerOptions) {
  const { database = parts.database, deadlineMs = PATIENT_MS } = options;
  const agent = createGuardedAgent({
    policy,
    connectTimeoutMs: PATIENT_MS,
    keepAliveMs: PATIENT_MS,
    proxyUrl: options.proxyUrl,
  });
  const finished: string[] = [];
  const disabled: string[] = [];
  const metrics = {
    finished: (verdict: string, count: number) => void finished.push(...Array.from({ length: count }, () => verdict)),
    attempted: () => undefined,
    disabled: (reason: string) => void disabled.push(reason),
  };
  const worker = new DeliveryWorker(
    new ClaimStore(database, (2 * deadlineMs) / 1_000),
    options.queue ?? new EndpointQueueStore(database),
    new EndpointDirectory(options.webhooks ?? webhookStore(database), sealer),
    new HttpSender(agent, deadlineMs),
    new EndpointSlots({ total: options.total ?? 64, perEndpoint: options.perEndpoint ?? 16 }),
    new OutcomeWriter(database, new OutcomeStore(database), metrics, silentLogger),
    silentLogger,
    options.pollMs ?? 1_000,
  );
  const listener = () => worker.wakeUp();
  listeners.add(listener);
  worker.start();
  const stop = async () => {
    listeners.delete(listener);
    await worker.stop();
    await agent.destroy();
  };
  return { worker, finished, disabled, stop };
}
