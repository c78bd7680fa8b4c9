// A delivery worker put together as the worker role does, with the knobs that tests turn.
import { createGuardedAgent, type OutboundPolicy } from '@kiln/outbound';
import { createLogger, type Database, type Logger, type Sealer } from '@kiln/platform';
import { EndpointDirectory } from '../adapters/endpoint-directory.js';
import { HttpSender } from '../adapters/http-sender.js';
import { EndpointSlots } from '../domain/endpoint-slots.js';
import { ClaimStore } from '../store/claim.store.js';
import { EndpointQueueStore } from '../store/endpoint-queue.store.js';
import { OutcomeStore } from '../store/outcome.store.js';
import { WebhookStore } from '../store/webhook.store.js';
import { DeliveryWorker } from '../workers/delivery.worker.js';
import { OutcomeWriter } from '../workers/outcome-writer.js';

export const silentLogger: Logger = createLogger(
  { service: 'webhooks', role: 'all', level: 'error' },
  { write: () => {} },
);

export interface WorkerOptions {
  deadlineMs?: number;
  leaseSeconds?: number;
  total?: number;
  perEndpoint?: number;
  proxyUrl?: string;
  /** Default 1,000: rows are often made due by hand, which wakes no worker. */
  pollMs?: number;
  queue?: Pick<EndpointQueueStore, 'settle'>;
  /** A database of its own, e.g. one that can be cut. */
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
  const database = options.database ?? parts.database;
  const agent = createGuardedAgent({ policy, connectTimeoutMs: 5_000, keepAliveMs: 1_000, proxyUrl: options.proxyUrl });
  const settled: string[] = [];
  const disabled: string[] = [];
  const writer = new OutcomeWriter({
    database,
    outcomes: new OutcomeStore(database),
    logger: silentLogger,
    onSettled: (verdict, count) => void settled.push(...Array.from({ length: count }, () => verdict)),
    onDisabled: (reason) => void disabled.push(reason),
    onPostponed: (dueInMs) => worker.wakeUp(dueInMs),
  });
  const worker = new DeliveryWorker({
    claims: new ClaimStore(database, options.leaseSeconds ?? 45),
    queue: options.queue ?? new EndpointQueueStore(database),
    endpoints: new EndpointDirectory(new WebhookStore(database), sealer),
    sender: new HttpSender(agent, options.deadlineMs ?? 2_000),
    slots: new EndpointSlots({ total: options.total ?? 64, perEndpoint: options.perEndpoint ?? 16 }),
    writer,
    logger: silentLogger,
    pollMs: options.pollMs ?? 1_000,
  });
  const listener = () => worker.wakeUp();
  listeners.add(listener);
  worker.start();
  const stop = async () => {
    listeners.delete(listener);
    await worker.stop();
    await agent.destroy();
  };
  return { worker, settled, disabled, stop };
}
