// The webhooks service by role: `api` answers and consumes, `worker` delivers, `all` does both.
import { OutboundPolicy } from '@kiln/outbound';
import { Sealer } from '@kiln/platform';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { WEBHOOKS_CONFIG, type WebhooksConfig } from './config.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { EventsModule } from './events/events.module.js';
import { MaintenanceModule } from './maintenance/maintenance.module.js';
import { ReplaysModule } from './replays/replays.module.js';
import { SendingModule } from './sending/sending.module.js';
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
        MaintenanceModule,
        ...(answers ? [WebhooksModule, EventsModule, DeliveriesModule, ReplaysModule] : []),
        ...(delivers ? [SendingModule] : []),
      ],
    };
  }
}
