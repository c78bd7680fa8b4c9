// The webhooks service by role: `api` answers and consumes, `worker` delivers, `all` does both.
import { OutboundPolicy } from '@kiln/outbound';
import { Sealer } from '@kiln/platform';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { WEBHOOKS_CONFIG, type WebhooksConfig } from './config.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { EventsController } from './events/events.controller.js';
import { EventsModule } from './events/events.module.js';
import { PublicEventsConsumer } from './events/public-events.consumer.js';
import { MaintenanceModule } from './maintenance/maintenance.module.js';
import { ReplayWorkerModule } from './replays/replay-worker.module.js';
import { ReplaysController } from './replays/replays.controller.js';
import { ReplaysModule } from './replays/replays.module.js';
import { SendingModule } from './sending/sending.module.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The providers that follow from the configuration. Every feature may inject them. */
@Global()
@Module({})
class SettingsModule {
  static with(config: WebhooksConfig): DynamicModule {
    const providers = [
      { provide: WEBHOOKS_CONFIG, useValue: config },
      { provide: Sealer, useValue: new Sealer(config.KILN_ENCRYPTION_KEY) },
      { provide: OutboundPolicy, useValue: new OutboundPolicy({ allow: config.KILN_OUTBOUND_ALLOW }) },
    ];
    return { module: SettingsModule, providers, exports: providers };
  }
}

@Module({})
export class AppModule {
  static with(config: WebhooksConfig): DynamicModule {
    const answers = config.KILN_ROLE !== 'worker';
    const delivers = config.KILN_ROLE !== 'api';
    return {
      module: AppModule,
      imports: [
        SettingsModule.with(config),
        WebhooksModule,
        EventsModule,
        DeliveriesModule,
        ReplaysModule,
        MaintenanceModule,
        ...(delivers ? [SendingModule, ReplayWorkerModule] : []),
      ],
      controllers: answers
        ? [WebhooksController, DeliveriesController, ReplaysController, EventsController, PublicEventsConsumer]
        : [],
    };
  }
}
