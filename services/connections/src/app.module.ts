// The connections service by role: `api` answers calls, `worker` syncs and removes deleted connections, `all` does both.
import { OutboundPolicy } from '@kiln/outbound';
import { Sealer } from '@kiln/platform';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { BrowsingModule } from './browsing/browsing.module.js';
import { BucketObjectsModule } from './bucket-objects/bucket-objects.module.js';
import { CONNECTIONS_CONFIG, type ConnectionsConfig } from './config.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { NodesModule } from './nodes/nodes.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { SyncWorkerModule } from './syncs/sync-worker.module.js';
import { SyncsModule } from './syncs/syncs.module.js';
import { UploadsModule } from './uploads/uploads.module.js';
import { UpkeepModule } from './upkeep.module.js';

/** The providers that follow from the configuration. Every feature may inject them. */
@Global()
@Module({})
class SettingsModule {
  static with(config: ConnectionsConfig): DynamicModule {
    const providers = [
      { provide: CONNECTIONS_CONFIG, useValue: config },
      { provide: Sealer, useValue: new Sealer(config.KILN_ENCRYPTION_KEY) },
      { provide: OutboundPolicy, useValue: new OutboundPolicy({ allow: config.KILN_OUTBOUND_ALLOW }) },
    ];
    return { module: SettingsModule, providers, exports: providers };
  }
}

const features = [ConnectionsModule, BrowsingModule, SyncsModule, NodesModule, UploadsModule, BucketObjectsModule];
const workers = [SyncWorkerModule, NotificationsModule, UpkeepModule];

@Module({})
export class AppModule {
  static with(config: ConnectionsConfig): DynamicModule {
    const answers = config.KILN_ROLE !== 'worker';
    const works = config.KILN_ROLE !== 'api';
    return {
      module: AppModule,
      imports: [SettingsModule.with(config), ...(answers ? features : []), ...(works ? workers : [])],
    };
  }
}
