// The jobs service by role: `api` answers and consumes, `worker` runs jobs, `all` does both.
import { OutboundPolicy } from '@kiln/outbound';
import { Sealer } from '@kiln/platform';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { JOBS_CONFIG, WORKER_CONFIG, type JobsConfig } from './config.js';
import { OrganizationController } from './organization/organization.controller.js';
import { OrganizationModule } from './organization/organization.module.js';
import { OrganizationUpkeepModule } from './organization/organization-upkeep.module.js';
import { ExtractionsController } from './extractions/extractions.controller.js';
import { ExtractionsModule } from './extractions/extractions.module.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsModule } from './jobs/jobs.module.js';
import { ReclaimModule } from './leases/reclaim.module.js';
import { QueueMetricsModule } from './metrics/queue-metrics.module.js';
import { FileEventsConsumer } from './requests/file-events.consumer.js';
import { RequestsModule } from './requests/requests.module.js';
import { WorkerModule } from './worker/worker.module.js';

/** The providers that follow from the configuration. Every feature may inject them. */
@Global()
@Module({})
class ConfigModule {
  static with(config: JobsConfig): DynamicModule {
    const providers = [
      { provide: JOBS_CONFIG, useValue: config },
      { provide: WORKER_CONFIG, useValue: config.worker },
      { provide: Sealer, useValue: new Sealer(config.KILN_ENCRYPTION_KEY) },
      { provide: OutboundPolicy, useValue: new OutboundPolicy({ allow: config.KILN_OUTBOUND_ALLOW }) },
    ];
    return { module: ConfigModule, providers, exports: providers };
  }
}

@Module({})
export class AppModule {
  static with(config: JobsConfig): DynamicModule {
    const answers = config.KILN_ROLE !== 'worker';
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        OrganizationModule,
        JobsModule,
        RequestsModule,
        ExtractionsModule,
        ReclaimModule,
        ...(answers ? [OrganizationUpkeepModule, QueueMetricsModule] : []),
        ...(config.worker ? [WorkerModule] : []),
      ],
      controllers: answers ? [JobsController, OrganizationController, ExtractionsController, FileEventsConsumer] : [],
    };
  }
}
