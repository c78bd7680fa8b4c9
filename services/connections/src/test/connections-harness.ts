// Shared by the integration specs: the stores and use cases of this service on a separate migrated database.
import { encodeId, type CallContext, type connectionsOperations, type OperationInput } from '@kiln/contracts';
import { OutboundPolicy } from '@kiln/outbound';
import { Database, migrateService, Sealer, type WakeUp } from '@kiln/platform';
import { createTestDatabase, TEST_DATABASE_TIMEOUTS } from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { BrowseBuckets } from '../browsing/browse-buckets.usecase.js';
import { CheckConnections } from '../connections/check-connections.usecase.js';
import { ConnectionBuckets } from '../connections/connection-buckets.service.js';
import { ConnectionEntity } from '../connections/connection.entity.js';
import { ConnectionStore } from '../connections/connection.store.js';
import { InputChecks } from '../connections/input-checks.service.js';
import { ManageConnections } from '../connections/manage-connections.usecase.js';
import { NotificationStateStore } from '../connections/notification-state.store.js';
import { entities } from '../entities.js';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import { BucketOpener, type BucketOpenerOptions } from '../external-buckets/bucket-opener.service.js';
import { migrations } from '../migrations/index.js';
import { ConnectionPurgeStore, type DependentTable } from '../purge/connection-purge.store.js';

type Ops = typeof connectionsOperations;
export type NewConnection = Omit<OperationInput<Ops['createConnection']>, 'id' | 'org_id'>;

export const ENCRYPTION_KEY = randomBytes(32).toString('base64');

/** Longer than a busy machine stands still. */
export const PATIENT_MS = 120_000;

export const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 3_600_000,
});

export interface HarnessOptions extends Partial<Omit<BucketOpenerOptions, 'policy'>> {
  /** The value of KILN_OUTBOUND_ALLOW. */
  allow?: string;
  encryptionKey?: string;
  connectionsMax?: number;
  requestTimeoutMs?: number;
  dependentTables?: readonly DependentTable[];
}

export type ConnectionsHarness = Awaited<ReturnType<typeof startConnections>>;

export async function startConnections(options: HarnessOptions = {}) {
  const {
    allow = '127.0.0.0/8',
    encryptionKey = ENCRYPTION_KEY,
    connectionsMax = 200,
    requestTimeoutMs = PATIENT_MS,
  } = options;
  const created = await createTestDatabase();
  await migrateService({ service: 'connections', migrations, databaseUrl: created.url });
  const pool = {
    url: created.url,
    schema: 'connections',
    entities,
    inOrder: true,
    connectionsMax: 10,
    ...TEST_DATABASE_TIMEOUTS,
  };
  const database = await Database.open(pool, () => undefined);
  const policy = new OutboundPolicy({ allow });
  const sealer = new Sealer(encryptionKey);
  const connections = new ConnectionStore(database, database.dataSource.getRepository(ConnectionEntity), {
    KILN_CONNECTIONS_MAX: connectionsMax,
  });
  const opener = new BucketOpener({
    azureEndpoint: 'https://{account}.blob.core.windows.net',
    azureAuthority: 'https://login.microsoftonline.com',
    ...options,
    policy,
  });
  const buckets = new ConnectionBuckets(opener, sealer);
  const limiter = new BucketCallLimiter(requestTimeoutMs);
  const checks = new InputChecks(policy, options.issuer ?? null);
  const manage = new ManageConnections(connections, checks, sealer, { send: () => undefined } as unknown as WakeUp);
  const organizationId = encodeId('organization', uuidv7());
  const ids = () => ({ id: encodeId('connection', uuidv7()), org_id: organizationId });
  const states = new NotificationStateStore(database);
  const check = new CheckConnections(connections, manage, checks, opener, buckets, limiter, states);
  return {
    database,
    sealer,
    connections,
    states,
    opener,
    buckets,
    manage,
    check,
    browse: new BrowseBuckets(connections, checks, opener, buckets, limiter),
    purges: new ConnectionPurgeStore(database, options.dependentTables ?? []),
    organizationId,
    ids,
    sql: <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
      database.query({ name: '', text }, values),
    create: (tenantId: string, input: NewConnection) => manage.create({ ...input, ...ids() }, contextOf(tenantId)),
    verify: (tenantId: string, input: NewConnection & { credentials: Record<string, unknown> }) =>
      check.verify({ ...input, ...ids() }, contextOf(tenantId)),
    close: async () => {
      await database.close();
      await created.drop();
    },
  };
}
