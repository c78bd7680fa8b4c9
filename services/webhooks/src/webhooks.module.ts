// Composition root of the webhooks service. The API role answers and consumes; the worker role delivers; `all` does both.
import { OutboundPolicy } from '@kiln/outbound';
import { Sealer } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import type { DynamicModule, OnModuleInit } from '@nestjs/common';
import type { WebhooksConfig } from './config.js';
import { DeliveryStore } from './store/delivery.store.js';
import { EndpointQueueStore } from './store/endpoint-queue.store.js';
import { EventStore } from './store/event.store.js';
import { PartitionStore } from './store/partition.store.js';
import { ReplayStore } from './store/replay.store.js';
import { WebhookStore } from './store/webhook.store.js';
import { DeliveriesController } from './transport/deliveries.controller.js';
import { PublicEventsConsumer } from './transport/public-events.consumer.js';
import { WebhooksController } from './transport/webhooks.controller.js';
import { DeliverAgain } from './usecases/deliver-again.usecase.js';
import { FanOut } from './usecases/fan-out.usecase.js';
import { ManageWebhooks } from './usecases/manage-webhooks.usecase.js';
import { ReadDeliveries } from './usecases/read-deliveries.usecase.js';
import { MaintenanceWorker } from './workers/maintenance.worker.js';
import { prepareWorkerRole, type WorkerParts } from './workers/worker-role.js';

const MAINTENANCE_STOP_MS = 5_000;

/** Before anything is answered or consumed: there is a partition for what is about to be written. */
class Startup implements OnModuleInit {
  constructor(private readonly begin: () => Promise<void>) {}

  onModuleInit(): Promise<void> {
    return this.begin();
  }
}

export class WebhooksModule {
  static with(config: WebhooksConfig, platform: Platform): DynamicModule {
    const { database, shutdown, logger } = platform;
    const endpoints = new EndpointQueueStore(database);
    const parts: WorkerParts = {
      webhooks: new WebhookStore(database),
      endpoints,
      policy: new OutboundPolicy({ allow: config.KILN_OUTBOUND_ALLOW }),
      sealer: new Sealer(config.KILN_ENCRYPTION_KEY),
    };
    const maintenance = new MaintenanceWorker({ partitions: new PartitionStore(database), endpoints, logger });
    shutdown.addPhase('maintenance', MAINTENANCE_STOP_MS, () => maintenance.stop());
    const startWorker = config.KILN_ROLE === 'api' ? null : prepareWorkerRole(config, platform, parts);
    const startup = new Startup(async () => {
      await maintenance.start();
      startWorker?.();
    });
    const isWorker = config.KILN_ROLE === 'worker';
    return {
      module: WebhooksModule,
      controllers: isWorker ? [] : [WebhooksController, DeliveriesController, PublicEventsConsumer],
      providers: [
        { provide: Startup, useValue: startup },
        ...(isWorker ? [] : usecases(platform, parts)).map((usecase) => ({
          provide: usecase.constructor,
          useValue: usecase,
        })),
      ],
    };
  }
}

function usecases({ database, wakeUp }: Platform, { webhooks, endpoints, policy, sealer }: WorkerParts): object[] {
  const events = new EventStore(database);
  const deliveries = new DeliveryStore(database);
  const replays = new ReplayStore(database);
  return [
    new ManageWebhooks(webhooks, policy, sealer),
    new FanOut(webhooks, events, endpoints, wakeUp),
    new ReadDeliveries(webhooks, deliveries, events),
    new DeliverAgain({ database, webhooks, events, deliveries, endpoints, replays, wakeUp }),
  ];
}
