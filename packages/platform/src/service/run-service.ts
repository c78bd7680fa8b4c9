// The boot of every Nest service: config → logs → health port → database (migrated, or the boot fails) → bus → module → ready.
import 'reflect-metadata';
import type { Operation } from '@kiln/contracts';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusServer } from '../bus/bus-server.js';
import { CodedErrorFilter } from '../bus/coded-error.filter.js';
import { assertSubscribed, connectBus } from '../bus/connection.js';
import { STREAM_KEEPER } from '../bus/names.js';
import { RpcClient } from '../bus/rpc-client.js';
import { WakeUp } from '../bus/wake-up.js';
import { JobProgressChannel } from '../events/job-progress.js';
import type { DatabaseConfig, ProcessConfig } from '../config/load-config.js';
import { DeadLetters } from '../events/dead-letters.js';
import { observeEventStreams } from '../events/event-streams.metrics.js';
import { observeOutbox } from '../events/outbox.metrics.js';
import { OutboxRelay } from '../events/relay.js';
import { StreamKeeper } from '../events/stream-keeper.js';
import { assertStreams, ensureStreams, type EventLimits, type StreamOptions } from '../events/streams.js';
import { flushTraces } from '../observability/start-tracing.js';
import { Database } from '../postgres/database.js';
import { observePool } from '../postgres/database.metrics.js';
import { connectionOptions, type PlanOptions, type ServiceSchema } from '../postgres/data-source.js';
import { assertConnections } from '../postgres/assert-connections.js';
import { assertMigrated } from '../postgres/assert-migrated.js';
import { NestLogger } from './nest-logger.js';
import { PlatformModule, type Platform } from './platform.module.js';
import { servicePhases } from './shutdown-phases.js';
import { startProcess } from './start-process.js';

export interface ServiceDefinition<Config extends ProcessConfig & DatabaseConfig> extends PlanOptions, ServiceSchema {
  name: string;
  loadConfig: () => Config;
  /** The operations this process answers in its role. */
  operations: (config: Config) => readonly Operation[];
  module: (config: Config, platform: Platform) => DynamicModule | Promise<DynamicModule>;
  /** How much the stream of events keeps. Of the service that keeps the streams. */
  eventLimits?: (config: Config) => EventLimits;
}

export async function runService<Config extends ProcessConfig & DatabaseConfig>(
  definition: ServiceDefinition<Config>,
): Promise<void> {
  const started = await startProcess(definition.name, definition.loadConfig);
  const { config, logger, metrics, health, shutdown } = started;
  const phases = servicePhases(definition.operations(config));
  shutdown.addPhase('announce', phases.announce, async () => health.setState('stopping'));
  const database = await openDatabase(definition, config, logger.child({ part: 'database' }));
  health.addCheck('database', 'needed', () => database.ping());
  await assertMigrated(database);
  await assertConnections(database, config.KILN_DATABASE_CONNECTIONS);

  const name = `kiln-${definition.name}`;
  const connection = await connectBus({ url: config.NATS_URL, name, logger, refusals: metrics.busRefusals });
  health.addCheck('bus', 'needed', () => connection.flush());
  const namespace = config.KILN_BUS_NAMESPACE;
  const streams = {
    connection,
    namespace,
    replicas: config.KILN_BUS_REPLICAS,
    keeps: definition.name === STREAM_KEEPER,
    limits: definition.eventLimits?.(config),
  };
  await ensureStreams(streams);

  const platform: Platform = {
    database,
    rpc: new RpcClient(connection, namespace),
    wakeUp: new WakeUp(connection, namespace),
    jobProgress: new JobProgressChannel(connection, namespace),
    metrics,
    health,
    shutdown,
    logger,
  };
  const relay = new OutboxRelay({ database, ...streams, service: definition.name, logger, metrics });
  const { application, bus } = await createApplication(definition, config, platform, streams);
  observePool(metrics, database);
  observeOutbox(metrics, database);
  observeEventStreams(metrics, { ...streams, service: definition.name, consumers: () => bus.consumerNames });
  health.addCheck('events', 'reported', async () => {
    if (bus.standsStill || relay.standsStill) throw new Error('events stand still');
    await assertStreams(streams);
  });
  shutdown.addPhase('intake', phases.intake, () => bus.close());
  // Runs the lifecycle hooks of the modules: workers finish their current work.
  shutdown.addPhase('workers', phases.workers, () => application.close());
  const keeper = streams.keeps ? new StreamKeeper(streams, logger) : undefined;
  shutdown.addPhase('outbox', phases.outbox, async () => {
    await Promise.all([relay.stop(), keeper?.stop()]);
  });
  shutdown.addPhase('bus', phases.bus, () => connection.close());
  shutdown.addPhase('database', phases.database, () => database.close());
  shutdown.addPhase('traces', phases.traces, flushTraces);
  shutdown.addPhase('health', phases.health, () => health.close());

  await application.listen();
  await assertSubscribed(connection);
  relay.start();
  keeper?.start();
  health.setState('ready');
  logger.info('ready');
}

function openDatabase(
  {
    name: schema,
    byIndex,
    lookUps,
    inOrder,
    entities = [],
    migrations = [],
  }: { name: string } & PlanOptions & ServiceSchema,
  config: DatabaseConfig,
  logger: Platform['logger'],
): Promise<Database> {
  return Database.open(
    {
      schema,
      byIndex,
      lookUps,
      inOrder,
      entities,
      migrations,
      ...connectionOptions(config),
    },
    (error) => logger.warn({ err: error }, 'idle database connection lost'),
  );
}

async function createApplication<Config extends ProcessConfig & DatabaseConfig>(
  definition: ServiceDefinition<Config>,
  config: Config,
  platform: Platform,
  streams: StreamOptions,
) {
  const { database, logger, metrics } = platform;
  const bus = new BusServer({
    ...streams,
    service: definition.name,
    database,
    deadLetters: new DeadLetters(streams.connection, streams.namespace),
    logger,
    metrics,
    operations: definition.operations(config),
  });
  const root: DynamicModule = {
    module: class ServiceRoot {},
    imports: [PlatformModule.with(platform), await definition.module(config, platform)],
  };
  const application = await NestFactory.createMicroservice(root, { strategy: bus, logger: new NestLogger(logger) });
  application.useGlobalFilters(new CodedErrorFilter());
  return { application, bus };
}
