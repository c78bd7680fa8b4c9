// The boot: config → health port → database (migrated, or refuse) → first key → bus, object store, Redis → listen → ready.
import {
  assertConnections,
  assertMigrated,
  Circuits,
  connectBus,
  Database,
  RpcClient,
  Sealer,
  ServicePing,
  startOrExit,
  startProcess,
} from '@kiln/platform';
import { openObjectStore } from '@kiln/storage';
import { fileURLToPath } from 'node:url';
import { fingerprintOf } from './auth/api-key.js';
import { ApiKeyStore } from './auth/api-key.store.js';
import { KeyUsage } from './auth/key-usage.js';
import { loadGatewayConfig, type GatewayConfig } from './config.js';
import { createGateway } from './gateway.js';
import { startHousekeeping } from './housekeeping.js';
import { connectRedis } from './limits/redis.js';
import { PortalTokenStore } from './portal/portal-token.store.js';
import { publicReadiness } from './readiness.js';
import { createRequestLog } from './request-log/create-request-log.js';

const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url));
const CLOSE_DEADLINE_MS = 5_000;

async function main(): Promise<void> {
  const { config, logger, metrics, health, shutdown } = await startProcess('gateway', () => loadGatewayConfig());
  const database = new Database(
    {
      url: config.DATABASE_URL,
      schema: 'gateway',
      connectionsMax: config.KILN_DATABASE_CONNECTIONS,
      statementTimeoutMs: config.KILN_DATABASE_STATEMENT_TIMEOUT_MS,
    },
    (error) => logger.warn({ err: error }, 'idle connection lost'),
  );
  await assertMigrated(database, MIGRATIONS);
  await assertConnections(database, config.KILN_DATABASE_CONNECTIONS);
  const keys = new ApiKeyStore(database);
  await ensureFirstKey(config, keys);
  const keyUsage = new KeyUsage(keys);
  const sealer = new Sealer(config.KILN_ENCRYPTION_KEY);
  const portalTokens = new PortalTokenStore(database);
  const connection = await connectBus({ url: config.NATS_URL, name: 'kiln-gateway', logger });
  const store = await openObjectStore(config);
  const redis = connectRedis(config.REDIS_URL, logger);
  health.addCheck('database', 'needed', () => database.ping());
  health.addCheck('bus', 'needed', () => connection.flush());
  health.addCheck('object_store', 'reported', () => store.ping());

  const circuits = new Circuits(metrics, new ServicePing(connection, config.KILN_BUS_NAMESPACE));
  const rpc = new RpcClient(connection, config.KILN_BUS_NAMESPACE, circuits);
  const readiness = publicReadiness(health, redis);
  const requestLog = createRequestLog({ connection, namespace: config.KILN_BUS_NAMESPACE, database, metrics, logger });
  requestLog.start();
  const owned = { database, sealer, keyUsage, portalTokens, requestLog };
  const parts = { config, logger, metrics, redis, rpc, store, readiness, ...owned };
  const server = createGateway(parts);
  const stopHousekeeping = startHousekeeping(parts);
  const drainMs = config.KILN_DRAIN_SECONDS * 1_000;
  shutdown.addPhase('requests', drainMs + CLOSE_DEADLINE_MS, async () => {
    health.setState('stopping');
    await server.drain(drainMs);
  });
  shutdown.addPhase('housekeeping', CLOSE_DEADLINE_MS, stopHousekeeping);
  shutdown.addPhase('request log', CLOSE_DEADLINE_MS, () => requestLog.stop());
  shutdown.addPhase('bus', CLOSE_DEADLINE_MS, () => connection.close());
  shutdown.addPhase('redis', CLOSE_DEADLINE_MS, async () => redis.destroy());
  shutdown.addPhase('database', CLOSE_DEADLINE_MS, () => database.close());
  shutdown.addPhase('object store', CLOSE_DEADLINE_MS, async () => store.close());
  shutdown.addPhase('health', CLOSE_DEADLINE_MS, () => health.close());

  const port = await server.listen(config.KILN_PORT, config.KILN_HOST);
  health.setState('ready');
  logger.info({ host: config.KILN_HOST, port }, 'ready');
}

async function ensureFirstKey(config: GatewayConfig, keys: ApiKeyStore): Promise<void> {
  const fingerprint = fingerprintOf(config.KILN_API_KEY ?? '');
  if (fingerprint) await keys.ensureFirstKey(fingerprint, config.KILN_PLAN);
}

startOrExit(main);
