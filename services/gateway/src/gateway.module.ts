// Composes the HTTP server from its parts. Connections are opened in main.
import {
  observePool,
  Signer,
  TenantPauses,
  type Database,
  type Logger,
  type Metrics,
  type Sealer,
} from '@kiln/platform';
import { Admission } from './auth/admission.http.js';
import { KeyCallerStore } from './auth/key-caller.store.js';
import { Authenticator } from './auth/authenticator.service.js';
import { JwtAuthenticator } from './auth/jwt-authenticator.service.js';
import { publicKeyOf } from './auth/jwt-public-key.domain.js';
import { JwtVerifier } from './auth/jwt-verifier.adapter.js';
import type { KeyUsage } from './keys/key-usage.service.js';
import { Revocations } from './keys/revocations.adapter.js';
import type { GatewayConfig } from './config.js';
import type { EventStreams } from './event-streams/event-streams.service.js';
import { ExtractionCallbacks } from './extractions/extraction-callbacks.service.js';
import { createApp } from './http/app.http.js';
import { HttpServer } from './http/server.http.js';
import { RunningRequests } from './http/running-requests.service.js';
import { Idempotency } from './idempotency/idempotency.service.js';
import { IdempotencyStore } from './idempotency/idempotency.store.js';
import { ApiKeyStore } from './keys/api-key.store.js';
import { planRates } from './limits/plan-rates.config.js';
import type { RedisCommands } from './redis/redis.adapter.js';
import { TokenBucket } from './limits/token-bucket.adapter.js';
import { BodyMemory } from './limits/body-memory.service.js';
import { HeavyWork } from './limits/heavy-work.service.js';
import { UploadMemory } from './limits/upload-memory.service.js';
import { publishedDocument } from './openapi/published-document.view.js';
import { OrganizationStore } from './organizations/organization.store.js';
import { FrameAncestors } from './portal/frame-ancestors.service.js';
import { PortalSettingsStore } from './portal/portal-settings.store.js';
import { Quota } from './quota/quota.service.js';
import type { RequestLog } from './request-log/request-log.service.js';
import { mcpRoutes } from './routes/mcp.routes.js';
import { assertRouteTable, routeTable } from './routes/table.routes.js';
import type { GatewayServices } from './services.port.js';
import { SignInCodeStore } from './sign-in/sign-in-code.store.js';
import type { JobEnds } from './waiting/job-ends.service.js';
import { openRemoteFiles } from './upload/remote-files.adapter.js';
import { JobCreator } from './upload/job-creator.adapter.js';
import { ContentUrls } from './variants/content-urls.service.js';

export interface GatewayParts extends Pick<GatewayServices, 'rpc' | 'store' | 'readiness' | 'portalTokens'> {
  jobEnds: JobEnds;
  eventStreams: EventStreams;
  config: GatewayConfig;
  logger: Logger;
  metrics: Metrics;
  database: Database;
  sealer: Sealer;
  keyUsage: KeyUsage;
  redis: RedisCommands;
  requestLog: Pick<RequestLog, 'add'>;
}

const routes = [...routeTable, ...mcpRoutes];

export function createGateway(parts: GatewayParts): HttpServer {
  const { config, logger, metrics, rpc, store, readiness, database, portalTokens } = parts;
  assertRouteTable(routes);
  const bucket = tokenBucket(parts);
  const byDefault = { perSecond: config.KILN_RATE_LIMIT_RPS, burst: config.KILN_RATE_LIMIT_BURST };
  const rates = planRates(byDefault, config.KILN_RATE_LIMIT_PLANS);
  const idempotency = new Idempotency(new IdempotencyStore(database), parts.sealer, logger);
  const authenticator = new Authenticator({
    keys: new KeyCallerStore(database),
    keyUsage: parts.keyUsage,
    portalTokens,
    jwt: createJwtAuthenticator(config, database),
  });
  // After a reconnect Redis may have lost its marks of revoked keys.
  parts.redis.on('ready', () => authenticator.clearCache());
  const running = new RunningRequests();
  const tenantPauses = new TenantPauses();
  const uploadMemory = new UploadMemory(config.KILN_UPLOAD_MEMORY_BYTES, store);
  const portalSettings = new PortalSettingsStore(database);
  measure(parts, uploadMemory);
  const app = createApp({
    running,
    bodyMemory: new BodyMemory(),
    heavyWork: new HeavyWork(),
    routes,
    admission: new Admission({ authenticator, bucket, rates, tenantPauses }),
    idempotency,
    services: {
      rpc,
      store,
      readiness,
      logger,
      apiKeys: new ApiKeyStore(database),
      revocations: new Revocations(parts.redis, config.KILN_BUS_NAMESPACE),
      portalTokens,
      signInCodes: new SignInCodeStore(database),
      signInAttempts: bucket,
      portalSettings,
      quota: new Quota({ rpc, plans: config.KILN_PLAN_PAGES, planNodes: config.KILN_PLAN_NODES, logger }),
      jobCreator: new JobCreator({ rpc, logger }),
      remoteFiles: openRemoteFiles(config),
      contentUrls: new ContentUrls({
        signer: new Signer(config.KILN_ENCRYPTION_KEY, 'content url'),
        lifetimeSeconds: config.KILN_SIGNED_URL_SECONDS,
        publicUrl: config.KILN_PUBLIC_URL,
      }),
      callbacks: new ExtractionCallbacks(config.KILN_ENCRYPTION_KEY, parts.sealer),
      uploadBytesMax: config.KILN_MAX_UPLOAD_BYTES,
      uploadMemory,
      tenantPauses,
      jobEnds: parts.jobEnds,
      eventStreams: parts.eventStreams,
      credentials: authenticator,
      bearerIssuer: config.KILN_JWT_ISSUER,
      publicUrl: config.KILN_PUBLIC_URL,
      openApiDocument: publishedDocument(config.KILN_PUBLIC_URL),
    },
    frameAncestors: new FrameAncestors(portalSettings),
    metrics,
    requestLog: parts.requestLog,
    corsOrigins: config.KILN_CORS_ORIGINS,
  });
  return new HttpServer(app, running);
}

/** Null while no issuer is configured. */
function createJwtAuthenticator(config: GatewayConfig, database: Database): JwtAuthenticator | null {
  const { KILN_JWT_JWKS_URL: jwksUrl, KILN_JWT_PUBLIC_KEY: pem } = config;
  const { KILN_JWT_ISSUER: issuer, KILN_JWT_AUDIENCE: audience, KILN_JWT_JWKS_PROXY: proxyUrl } = config;
  const keys =
    jwksUrl !== undefined ? { jwksUrl, proxyUrl } : pem !== undefined ? { publicKey: publicKeyOf(pem) } : null;
  if (!keys || issuer === undefined || audience === undefined) return null;
  return new JwtAuthenticator(new JwtVerifier({ keys, issuer, audience }), new OrganizationStore(database));
}

function tokenBucket({ config, metrics, redis }: GatewayParts): TokenBucket {
  const skipped = metrics.counter('kiln_rate_limit_skipped_total', 'Requests let through because Redis did not answer');
  return new TokenBucket(redis, config.KILN_BUS_NAMESPACE, skipped, config.KILN_RATE_LIMIT_TIMEOUT_MS);
}

function measure({ metrics, eventStreams, database }: GatewayParts, uploadMemory: UploadMemory): void {
  observePool(metrics, database);
  metrics.sampledGauge('kiln_upload_memory_bytes', {
    help: 'Memory that uploads under way may take, of KILN_UPLOAD_MEMORY_BYTES',
    labelNames: [],
    read: async () => [{ labels: {}, value: uploadMemory.heldBytes }],
  });
  metrics.sampledGauge('kiln_event_streams', {
    help: 'Open streams of events of this process',
    labelNames: [],
    read: async () => [{ labels: {}, value: eventStreams.count }],
  });
}
