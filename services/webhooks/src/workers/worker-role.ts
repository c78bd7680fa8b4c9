// The worker role: what delivers, and what feeds it.
import { createGuardedAgent, type OutboundPolicy } from '@kiln/outbound';
import { ResealWorker, type Sealer } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import { EndpointDirectory } from '../adapters/endpoint-directory.js';
import { HttpSender } from '../adapters/http-sender.js';
import { SealedWebhooks } from '../adapters/webhook-secrets.js';
import type { WebhooksConfig } from '../config.js';
import { EndpointSlots } from '../domain/endpoint-slots.js';
import { ClaimStore } from '../store/claim.store.js';
import { DeliveryStore } from '../store/delivery.store.js';
import type { EndpointQueueStore } from '../store/endpoint-queue.store.js';
import { OutcomeStore } from '../store/outcome.store.js';
import { ReplayStore } from '../store/replay.store.js';
import type { WebhookStore } from '../store/webhook.store.js';
import { WEBHOOKS_WAKE_UP } from '../usecases/wake-up.js';
import { DeliveryWorker } from './delivery.worker.js';
import { OutcomeWriter } from './outcome-writer.js';
import { ReplayWorker } from './replay.worker.js';

/** For the whole of an attempt: look-up, connection, TLS, request and answer. */
const DELIVERY_DEADLINE_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Servers commonly close after 5 s; a connection must not be used in the moment it is closed. */
const KEEP_ALIVE_MS = 4_000;
/** The deadline, and time to write the outcome while the database is busy. */
const LEASE_SECONDS = 30;
const STOP_DEADLINE_MS = 5_000;

export interface WorkerParts {
  webhooks: WebhookStore;
  endpoints: EndpointQueueStore;
  policy: OutboundPolicy;
  sealer: Sealer;
}

/** Puts the role together, its end included; answers what starts it. */
export function prepareWorkerRole(config: WebhooksConfig, platform: Platform, parts: WorkerParts): () => void {
  const { database, wakeUp, shutdown, metrics, logger } = platform;
  const { webhooks, endpoints, policy, sealer } = parts;
  const attempts = metrics.counter('kiln_webhook_attempts_total', 'Attempts by outcome', ['outcome']);
  const disabled = metrics.counter('kiln_webhooks_disabled_total', 'Webhooks that were switched off', ['reason']);
  const dispatcher = createGuardedAgent({
    policy,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    keepAliveMs: KEEP_ALIVE_MS,
    proxyUrl: config.KILN_OUTBOUND_PROXY,
  });
  const slots = new EndpointSlots({
    total: config.KILN_WEBHOOK_CONCURRENCY,
    perEndpoint: config.KILN_WEBHOOK_ENDPOINT_CONCURRENCY,
  });
  const writer = new OutcomeWriter({
    database,
    outcomes: new OutcomeStore(database),
    logger,
    onSettled: (verdict, count) => attempts.inc({ outcome: verdict }, count),
    onDisabled: (reason) => disabled.inc({ reason }),
    onPostponed: (dueInMs) => worker.wakeUp(dueInMs),
  });
  const worker = new DeliveryWorker({
    claims: new ClaimStore(database, LEASE_SECONDS),
    queue: endpoints,
    endpoints: new EndpointDirectory(webhooks, sealer),
    sender: new HttpSender(dispatcher, DELIVERY_DEADLINE_MS),
    slots,
    writer,
    logger,
  });
  const deliveries = new DeliveryStore(database);
  const replays = new ReplayWorker({
    database,
    replays: new ReplayStore(database),
    deliveries,
    endpoints,
    onQueued: () => worker.wakeUp(),
    logger,
  });
  const reseal = new ResealWorker(new SealedWebhooks(webhooks, sealer), logger);
  let stopListening = () => {};
  metrics.gauge('kiln_webhook_deliveries_running', 'Deliveries under way', () => slots.runningCount);
  shutdown.addPhase('deliveries', STOP_DEADLINE_MS, async () => {
    stopListening();
    await Promise.all([worker.stop(), replays.stop(), reseal.stop()]);
    await dispatcher.destroy();
  });
  return () => {
    worker.start();
    replays.start();
    reseal.start();
    stopListening = wakeUp.listen(WEBHOOKS_WAKE_UP, () => {
      worker.wakeUp();
      replays.wakeUp();
    });
  };
}
