// The gateway put together from its parts: everything that answers HTTP, nothing that opens connections.
import type { Database, Logger, Metrics, Sealer } from '@kiln/platform';
import { Admission } from './auth/admission.js';
import { ApiKeyStore } from './auth/api-key.store.js';
import { Authenticator } from './auth/authenticator.js';
import { createJwtAuthenticator } from './auth/create-jwt-authenticator.js';
import type { KeyUsage } from './auth/key-usage.js';
import { Revocations } from './auth/revocations.js';
import type { GatewayConfig } from './config.js';
import { createApp } from './http/app.js';
import { HttpServer } from './http/http-server.js';
import { RunningRequests } from './http/running-requests.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotencyStore } from './idempotency/idempotency.store.js';
import { ManagedKeysStore } from './keys/managed-keys.store.js';
import { planRates } from './limits/plan-rates.js';
import type { Redis } from './limits/redis.js';
import { TokenBucket } from './limits/token-bucket.js';
import { openApiDocument } from './openapi/document.js';
import { Quota } from './quota/quota.js';
import type { RequestLog } from './request-log/request-log.js';
import { assertRouteTable, routeTable } from './routes/route-table.js';
import type { GatewayServices } from './services.js';
import { JobAnnouncer } from './upload/job-announcer.js';

const API_VERSION = '0.1.1';

export interface GatewayParts extends Pick<GatewayServices, 'rpc' | 'store' | 'readiness' | 'portalTokens'> {
  config: GatewayConfig;
  logger: Logger;
  metrics: Metrics;
  database: Database;
  sealer: Sealer;
  keyUsage: KeyUsage;
  redis: Redis;
  requestLog: Pick<RequestLog, 'add'>;
}

export function createGateway(parts: GatewayParts): HttpServer {
  const { config, logger, metrics, rpc, store, readiness, database, portalTokens } = parts;
  assertRouteTable(routeTable);
  const document = openApiDocument(routeTable, { version: API_VERSION, publicUrl: config.KILN_PUBLIC_URL });
  const unlimited = metrics.counter(
    'kiln_rate_limit_skipped_total',
    'Requests let through because Redis did not answer',
  );
  const bucket = new TokenBucket(parts.redis, config.KILN_BUS_NAMESPACE, () => unlimited.inc());
  const byDefault = { perSecond: config.KILN_RATE_LIMIT_RPS, burst: config.KILN_RATE_LIMIT_BURST };
  const rates = planRates(byDefault, config.KILN_RATE_LIMIT_PLANS);
  const idempotency = new Idempotency(new IdempotencyStore(database), parts.sealer, logger);
  idempotency.start();
  const authenticator = new Authenticator({
    keys: new ApiKeyStore(database),
    keyUsage: parts.keyUsage,
    portalTokens,
    jwt: createJwtAuthenticator(config, database),
  });
  // A Redis that was away may have come back without its marks.
  parts.redis.on('ready', () => authenticator.forget());
  const running = new RunningRequests();
  const app = createApp({
    running,
    routes: routeTable,
    admission: new Admission({ authenticator, bucket, rates }),
    idempotency,
    services: {
      rpc,
      store,
      readiness,
      logger,
      managedKeys: new ManagedKeysStore(database),
      revocations: new Revocations(parts.redis, config.KILN_BUS_NAMESPACE),
      portalTokens,
      quota: new Quota({ rpc, plans: config.KILN_PLAN_PAGES, logger }),
      announcer: new JobAnnouncer({ rpc, logger }),
      planPages: config.KILN_PLAN_PAGES,
      uploadBytesMax: config.KILN_MAX_UPLOAD_BYTES,
      openApi: () => document,
    },
    logger,
    metrics,
    requestLog: parts.requestLog,
    publicUrl: config.KILN_PUBLIC_URL,
    corsOrigins: config.KILN_CORS_ORIGINS,
  });
  return new HttpServer(app, running);
}
