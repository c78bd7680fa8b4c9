// The boot: config → health port → database (migrated, or refuse) → first key → bus, object store, Redis → listen → ready.
import {
  announcePort,
  assertConnections,
  assertMigrated,
  assertStreams,
  assertSubscribed,
  Circuits,
  connectBus,
  connectionOptions,
  Database,
  DayPartitions,
  ensureStreams,
  EventListener,
  EventPublisher,
  flushTraces,
  JobProgressChannel,
  PublicEventFeed,
  RpcClient,
  Sealer,
  ServicePing,
  startOrExit,
  startProcess,
} from '@kiln/platform';
import { openObjectStore } from '@kiln/storage';
import { IDEMPOTENCY_DAYS } from './idempotency/idempotency.store.js';
import { KeyCallerStore } from './auth/key-caller.store.js';
import { EventStreams } from './event-streams/event-streams.service.js';
import { StreamPlaces } from './event-streams/stream-places.adapter.js';
import { fingerprintOf } from './keys/api-key.domain.js';
import { ensureFirstKey } from './keys/first-key.usecase.js';
import { KeyUsage } from './keys/key-usage.service.js';
import { KeyUsageStore } from './keys/key-usage.store.js';
import { loadGatewayConfig } from './config.js';
import { gatewayPhases } from './drain.config.js';
import { entities } from './entities.js';
import { createGateway } from './gateway.module.js';
import { startHousekeeping } from './housekeeping/housekeeping.worker.js';
import { openRedis } from './redis/open-redis.adapter.js';
import { migrations } from './migrations/index.js';
import { PortalTokenStore } from './portal/portal-token.store.js';
import { publicReadiness } from './system/readiness.service.js';
import { JobEnds } from './waiting/job-ends.service.js';
import { RequestLog } from './request-log/request-log.service.js';

async function main(): Promise<void> {
  const { config, logger, metrics, health, shutdown } = await startProcess('gateway', () => loadGatewayConfig());
  const options = { schema: 'gateway', entities, migrations, ...connectionOptions(config) };
  const database = await Database.open(options, (error) =>
    logger.warn({ err: error }, 'Idle database connection lost'),
  );
  await assertMigrated(database);
  await assertConnections(database, config.KILN_DATABASE_CONNECTIONS);
  await new DayPartitions(database, IDEMPOTENCY_DAYS).ensure(new Date());
  const firstKey = fingerprintOf(config.KILN_API_KEY ?? '');
  if (firstKey) await ensureFirstKey(database, firstKey, config.KILN_PLAN);
  const keyUsage = new KeyUsage(new KeyUsageStore(database));
  const sealer = new Sealer(config.KILN_ENCRYPTION_KEY);
  const portalTokens = new PortalTokenStore(database);
  const refusals = metrics.busRefusals;
  const connection = await connectBus({ url: config.NATS_URL, name: 'kiln-gateway', logger, refusals });
  const store = await openObjectStore(config);
  const redis = openRedis(config, logger);
  health.addCheck('database', 'needed', () => database.ping());
  health.addCheck('bus', 'needed', () => connection.flush());
  health.addCheck('object_store', 'reported', () => store.ping());

  const circuits = new Circuits(metrics, new ServicePing(connection, config.KILN_BUS_NAMESPACE));
  const rpc = new RpcClient(connection, config.KILN_BUS_NAMESPACE, circuits);
  const readiness = publicReadiness(health, redis);
  const streams = {
    connection,
    namespace: config.KILN_BUS_NAMESPACE,
    replicas: config.KILN_BUS_REPLICAS,
    keeps: false,
  };
  const publisher = new EventPublisher(streams);
  // The gateway serves requests without the streams, and a later event makes them.
  await ensureStreams(streams).catch((error: unknown) => logger.warn({ err: error }, 'No streams of events yet'));
  health.addCheck('events', 'reported', async () => {
    if (publisher.standsStill) throw new Error('events stand still');
    await assertStreams(streams);
  });
  const requestLog = new RequestLog({ keys: new KeyCallerStore(database), publisher, metrics, logger });
  requestLog.start();
  const jobEnds = new JobEnds(new EventListener(connection, config.KILN_BUS_NAMESPACE));
  const eventStreams = new EventStreams({
    feed: new PublicEventFeed(connection, config.KILN_BUS_NAMESPACE),
    progress: new JobProgressChannel(connection, config.KILN_BUS_NAMESPACE),
    places: new StreamPlaces(redis, config.KILN_BUS_NAMESPACE),
    logger,
  });
  const owned = { database, sealer, keyUsage, portalTokens, requestLog, jobEnds, eventStreams };
  const parts = { config, logger, metrics, redis, rpc, store, readiness, ...owned };
  const server = createGateway(parts);
  const stopHousekeeping = startHousekeeping(parts);
  const phases = gatewayPhases(config);
  shutdown.addPhase('requests', phases.requests, async () => {
    health.setState('stopping');
    jobEnds.stop();
    eventStreams.stop();
    await server.drain(config.KILN_DRAIN_SECONDS * 1_000, config.KILN_DRAIN_NOTICE_SECONDS * 1_000);
  });
  shutdown.addPhase('housekeeping', phases.housekeeping, stopHousekeeping);
  shutdown.addPhase('request log', phases.requestLog, () => requestLog.stop());
  shutdown.addPhase('bus', phases.bus, () => connection.close());
  shutdown.addPhase('redis', phases.redis, async () => redis.destroy());
  shutdown.addPhase('database', phases.database, () => database.close());
  shutdown.addPhase('object store', phases.objectStore, async () => store.close());
  shutdown.addPhase('traces', phases.traces, flushTraces);
  shutdown.addPhase('health', phases.health, () => health.close());

  await assertSubscribed(connection);
  const port = await server.listen(config.KILN_PORT, config.KILN_HOST);
  announcePort('gateway', port);
  health.setState('ready');
  logger.info({ host: config.KILN_HOST, port }, 'ready');
}

startOrExit(main);
