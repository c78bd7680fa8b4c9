// The providers of every Nest service.
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { getRepositoryToken } from '@nestjs/typeorm';
import { DataSource, EntityManager } from 'typeorm';
import { RpcClient } from '../bus/rpc-client.js';
import { WakeUp } from '../bus/wake-up.js';
import { JobProgressChannel } from '../events/job-progress.js';
import { HealthServer } from '../observability/health-server.js';
import { Metrics } from '../observability/metrics.js';
import { Database } from '../postgres/database.js';
import { Shutdown } from './shutdown.js';
import type { Logger } from '../observability/logger.js';

/** Injection token of the process's logger: `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('logger');

export interface Platform {
  database: Database;
  rpc: RpcClient;
  wakeUp: WakeUp;
  jobProgress: JobProgressChannel;
  metrics: Metrics;
  health: HealthServer;
  shutdown: Shutdown;
  logger: Logger;
}

@Module({})
export class PlatformModule {
  static with(platform: Platform): DynamicModule {
    const { dataSource } = platform.database;
    const providers = [
      { provide: Database, useValue: platform.database },
      { provide: DataSource, useValue: dataSource },
      { provide: EntityManager, useValue: dataSource.manager },
      // For every store of the service, so no feature needs `TypeOrmModule.forFeature`.
      ...dataSource.entityMetadatas.map(({ target }) => ({
        provide: getRepositoryToken(target as Type),
        useValue: dataSource.getRepository(target),
      })),
      { provide: RpcClient, useValue: platform.rpc },
      { provide: WakeUp, useValue: platform.wakeUp },
      { provide: JobProgressChannel, useValue: platform.jobProgress },
      { provide: Metrics, useValue: platform.metrics },
      { provide: HealthServer, useValue: platform.health },
      { provide: Shutdown, useValue: platform.shutdown },
      { provide: LOGGER, useValue: platform.logger },
    ];
    return { module: PlatformModule, global: true, providers, exports: providers };
  }
}
