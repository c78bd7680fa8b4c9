import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import { ResealWorker, WakeUp, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { WEBHOOKS_CONFIG, type WebhooksConfig } from '../config.js';
import { DeliveryStore } from '../deliveries/delivery.store.js';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';
import { ReplayStore } from '../replays/replay.store.js';
import { ReplayWorker } from '../replays/replay.worker.js';
import { REPLAYS_WAKE_UP, WEBHOOKS_WAKE_UP } from '../wake-ups.events.js';
import { SealedWebhooks } from '../webhooks/sealed-webhooks.service.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { ClaimStore, LEASE_SECONDS } from './claim.store.js';
import { DeliveryQueueMetrics } from './delivery-queue.metrics.js';
import { DeliveryMetrics } from './delivery.metrics.js';
import { DeliveryWorker } from './delivery.worker.js';
import { EndpointSlots } from './domain/endpoint-slots.js';
import { EndpointDirectory } from './endpoint-directory.service.js';
import { HttpSender } from './http-sender.adapter.js';
import { OutcomeStore } from './outcome.store.js';
import { OutcomeWriter } from './outcome-writer.service.js';

/** The deadline of a whole attempt: look-up, connection, TLS, request and response. */
const DELIVERY_DEADLINE_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Servers commonly close idle connections after 5 s. The sender closes them earlier, so that none is closed while it is used. */
const KEEP_ALIVE_MS = 4_000;

const DISPATCHER = Symbol('dispatcher');

const dispatcher = {
  provide: DISPATCHER,
  inject: [WEBHOOKS_CONFIG, OutboundPolicy],
  useFactory: ({ KILN_OUTBOUND_PROXY: proxyUrl }: WebhooksConfig, policy: OutboundPolicy): Dispatcher =>
    createGuardedAgent({ policy, connectTimeoutMs: CONNECT_TIMEOUT_MS, keepAliveMs: KEEP_ALIVE_MS, proxyUrl }),
};
const slots = {
  provide: EndpointSlots,
  inject: [WEBHOOKS_CONFIG],
  useFactory: (config: WebhooksConfig) =>
    new EndpointSlots({
      total: config.KILN_WEBHOOK_CONCURRENCY,
      perEndpoint: config.KILN_WEBHOOK_ENDPOINT_CONCURRENCY,
    }),
};
const sender = {
  provide: HttpSender,
  inject: [DISPATCHER],
  useFactory: (through: Dispatcher) => new HttpSender(through, DELIVERY_DEADLINE_MS),
};
const reseal = {
  provide: ResealWorker,
  inject: [SealedWebhooks, LOGGER],
  useFactory: (webhooks: SealedWebhooks, logger: Logger) => new ResealWorker(webhooks, logger),
};

/** The worker role: claims due deliveries, sends them, writes their outcomes, and queues the events of replays. */
@Module({
  providers: [
    dispatcher,
    slots,
    sender,
    reseal,
    // The deadline of an attempt, plus time to write the outcome while the database is busy.
    { provide: LEASE_SECONDS, useValue: 30 },
    ClaimStore,
    OutcomeStore,
    WebhookStore,
    DeliveryStore,
    EndpointQueueStore,
    ReplayStore,
    EndpointDirectory,
    SealedWebhooks,
    DeliveryMetrics,
    DeliveryQueueMetrics,
    OutcomeWriter,
    DeliveryWorker,
    ReplayWorker,
  ],
})
export class SendingModule implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly worker: DeliveryWorker,
    replays: ReplayWorker,
    wakeUp: WakeUp,
    @Inject(DISPATCHER) private readonly connections: Dispatcher,
  ) {
    worker.whenReleased(() => wakeUp.send(WEBHOOKS_WAKE_UP));
    wakeUp.listen(WEBHOOKS_WAKE_UP, () => worker.wakeUp());
    wakeUp.listen(REPLAYS_WAKE_UP, () => replays.wakeUp());
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connections.destroy();
  }
}
