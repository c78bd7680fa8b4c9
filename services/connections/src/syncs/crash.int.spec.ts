// Real: the compiled worker as a separate process, killed with SIGKILL while it lists; Postgres, NATS, and the embedded object store as the
// bucket of a customer. A proxy between worker and bucket can delay a listing. It changes nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  startTestService,
  TEST_DATABASE_TIMEOUTS,
  testNamespace,
  testStorage,
  type TestService,
} from '@kiln/testing';
import { Database } from '@kiln/platform';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { randomBytes } from 'node:crypto';
import { Sealer } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { sealCredentials } from '../connections/sealed-credentials.service.js';
import { entities } from '../entities.js';
import { startListingProxy, type ListingProxy } from '../test/listing-proxy.js';
import { SyncEntity } from './sync.entity.js';
import { SyncStore } from './sync.store.js';

const PAGE = 1_000;
const OBJECTS = 2 * PAGE + 500;
const PUTS_AT_A_TIME = 50;

describe('a sync worker that is killed in the middle of a listing', () => {
  const encryptionKey = randomBytes(32).toString('base64');
  const bucket = testNamespace();
  const tenantId = uuidv7();
  const connectionId = uuidv7();
  const keys = Array.from({ length: OBJECTS }, (_, index) => `f/${String(index).padStart(5, '0')}.txt`);
  let proxy: ListingProxy;
  let first: TestService;
  let second: TestService | null = null;
  let database: Database;

  beforeAll(async () => {
    const storage = await testStorage();
    const objects = createS3ObjectStore({ ...storage, bucket, forcePathStyle: true });
    await objects.ensureBucket();
    for (let start = 0; start < OBJECTS; start += PUTS_AT_A_TIME) {
      const group = keys.slice(start, start + PUTS_AT_A_TIME);
      await Promise.all(group.map((key) => objects.put(key, 'x', { contentType: 'text/plain' })));
    }
    objects.close();
    proxy = await startListingProxy(storage.endpoint);
    proxy.holdAt(2);
    first = await startTestService({ name: 'connections', role: 'worker', environment: environment() });
    const pool = {
      url: first.databaseUrl,
      schema: 'connections',
      entities,
      connectionsMax: 4,
      ...TEST_DATABASE_TIMEOUTS,
    };
    database = await Database.open(pool, () => undefined);
    const credentials = {
      kind: 'accessKey' as const,
      access_key_id: storage.accessKeyId,
      secret_access_key: storage.secretAccessKey,
      endpoint: proxy.url,
    };
    const sealed = sealCredentials(new Sealer(encryptionKey), { tenant_id: tenantId, id: connectionId }, credentials);
    await sql(
      `insert into connections (tenant_id, id, provider, name, bucket, credentials, auth_type)
       values ($1, $2, 'selfhost_s3', 'n', $3, $4, 'access_key')`,
      [tenantId, connectionId, bucket, sealed],
    );
  });
  afterAll(async () => {
    await second?.stop();
    await database.close();
    proxy.close();
  });

  const environment = () => ({ KILN_ENCRYPTION_KEY: encryptionKey, KILN_OUTBOUND_ALLOW: '127.0.0.1' });
  const sql = <Row extends object>(text: string, values: unknown[] = []) =>
    database.query<Row>({ name: '', text }, values);
  const paths = async () =>
    (await sql<{ path: string }>('select path from visible_nodes where is_file order by path')).map(({ path }) => path);

  it('is replaced by another worker, which resumes after the last committed page', async () => {
    const syncs = new SyncStore(database, database.dataSource.getRepository(SyncEntity));
    const started = await syncs.start(tenantId, uuidv7(), connectionId);
    if (started === null || started === 'busy') throw new Error('the sync did not start');
    await eventually(() => proxy.isHeld());
    first.process.kill('SIGKILL');
    // Two pages are committed.
    expect(await paths()).toStrictEqual(keys.slice(0, 2 * PAGE));
    const token = proxy.listed.at(-1);
    const killed = await syncs.find(tenantId, started.id);
    proxy.letGo();

    const { databaseUrl, namespace } = first;
    second = await startTestService({
      name: 'connections',
      role: 'worker',
      databaseUrl,
      namespace,
      environment: environment(),
    });
    const [left] = await sql<{ seconds: number }>(
      `select extract(epoch from due_at - now())::float8 as seconds from syncs where id = $1`,
      [started.id],
    );
    // Its lease expires after half a minute at most.
    expect(left).toBeTruthy();
    expect(left?.seconds).toBeLessThanOrEqual(30);
    // Unless the second worker has taken it already.
    await sql(`update syncs set due_at = now() - interval '1 minute' where fence = $1`, [killed?.fence]);
    const ended = async () => (await syncs.find(tenantId, started.id))?.status === 'completed';
    await eventually(ended);
    expect(await paths()).toStrictEqual(keys);
    if (!token) throw new Error('no token');
    // The listing continues by the token of the last committed page. It was split, so other pages begin after later keys.
    const [lastCommitted = ''] = keys.slice(2 * PAGE - 1);
    expect(proxy.listed.filter((start) => start === token || start <= lastCommitted)).toStrictEqual([token]);
    const row = await syncs.find(tenantId, started.id);
    expect([row?.fence, row?.synced_count, row?.files_added, row?.files_deleted]).toStrictEqual([
      2,
      OBJECTS,
      OBJECTS,
      0,
    ]);
    const emitted = await sql<{ type: string }>('select type from outbox');
    expect(emitted.map(({ type }) => type)).toStrictEqual(['connection.synced']);
  });
});
