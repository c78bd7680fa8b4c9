// What the integration specs share: the stores and use cases of this service on a real, migrated database of their own.
import { encodeId, type CallContext, type connectionsOperations, type OperationInput } from '@kiln/contracts';
import { OutboundPolicy } from '@kiln/outbound';
import { Database, migrateService, Sealer } from '@kiln/platform';
import { createTestDatabase } from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { BucketOpener, type BucketOpenerOptions } from '../adapters/bucket-opener.js';
import { ConnectionBuckets } from '../adapters/connection-buckets.js';
import { ConnectionPurgeStore, type ConnectionRemains } from '../store/connection-purge.store.js';
import { ConnectionStore } from '../store/connection.store.js';
import { BucketQuestions } from '../usecases/ask-bucket.js';
import { BrowseBuckets } from '../usecases/browse-buckets.usecase.js';
import { CheckConnections } from '../usecases/check-connections.usecase.js';
import { ManageConnections } from '../usecases/manage-connections.usecase.js';

type Ops = typeof connectionsOperations;
export type NewConnection = Omit<OperationInput<Ops['createConnection']>, 'id' | 'org_id'>;

export const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

export const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 60_000,
});

export interface HarnessOptions extends Partial<Omit<BucketOpenerOptions, 'policy'>> {
  /** As in KILN_OUTBOUND_ALLOW. */
  allow?: string;
  encryptionKey?: string;
  connectionsMax?: number;
  requestTimeoutMs?: number;
  remains?: readonly ConnectionRemains[];
}

export type ConnectionsHarness = Awaited<ReturnType<typeof startConnections>>;

export async function startConnections(options: HarnessOptions = {}) {
  const {
    allow = '127.0.0.0/8',
    encryptionKey = ENCRYPTION_KEY,
    connectionsMax = 200,
    requestTimeoutMs = 5_000,
  } = options;
  const created = await createTestDatabase();
  await migrateService({ service: 'connections', directory: MIGRATIONS, databaseUrl: created.url });
  const pool = { url: created.url, schema: 'connections', connectionsMax: 10, statementTimeoutMs: 20_000 };
  const database = new Database(pool, () => undefined);
  const policy = new OutboundPolicy({ allow });
  const sealer = new Sealer(encryptionKey);
  const connections = new ConnectionStore(database, connectionsMax);
  const opener = new BucketOpener({
    azureEndpoint: 'https://{account}.blob.core.windows.net',
    azureAuthority: 'https://login.microsoftonline.com',
    ...options,
    policy,
  });
  const buckets = new ConnectionBuckets(opener, sealer);
  const questions = new BucketQuestions(requestTimeoutMs);
  const manage = new ManageConnections(connections, policy, sealer, () => undefined);
  const organizationId = encodeId('organization', uuidv7());
  const ids = () => ({ id: encodeId('connection', uuidv7()), org_id: organizationId });
  const check = new CheckConnections({ connections, manage, policy, opener, buckets, questions });
  return {
    database,
    sealer,
    connections,
    opener,
    buckets,
    manage,
    check,
    browse: new BrowseBuckets({ connections, policy, opener, buckets, questions }),
    purges: new ConnectionPurgeStore(database, options.remains ?? []),
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
