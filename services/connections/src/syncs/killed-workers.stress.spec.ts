// Real: the compiled worker as a process, killed with SIGKILL at random pages while objects change; Postgres, NATS, and the embedded object
// store as the bucket of a customer.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database, Sealer } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { eventually, startTestService, testNamespace, testStorage, type TestService } from '@kiln/testing';
import { randomNumbers, testSeed } from '@kiln/testing/seed';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { sealCredentials } from '../connections/sealed-credentials.service.js';
import { entities } from '../entities.js';
import { startListingProxy, type ListingProxy } from '../test/listing-proxy.js';
import { MirroredBucket, type Change } from '../test/mirror/mirrored-bucket.js';
import { assertMirrors, readNodes } from '../test/mirror/mirrored-nodes.js';
import { SyncEntity } from './sync.entity.js';
import { SyncStore } from './sync.store.js';

/** Three pages, and a part of one. */
const OBJECTS = 3_500;
const PUTS_AT_A_TIME = 50;
const SYNCS = 3;
const KILLS = 3;
const CHANGES = 60;
const TIMEOUT_MS = 300_000;

describe('sync workers that are killed at random pages', () => {
  const random = randomNumbers(testSeed());
  const encryptionKey = randomBytes(32).toString('base64');
  const tenantId = uuidv7();
  const connectionId = uuidv7();
  let proxy: ListingProxy;
  let worker: TestService;
  let database: Database;
  let syncs: SyncStore;
  let objects: ObjectStore;
  let bucket: MirroredBucket;

  beforeAll(async () => {
    const storage = await testStorage();
    const name = testNamespace();
    objects = createS3ObjectStore({ ...storage, bucket: name, forcePathStyle: true });
    await objects.ensureBucket();
    bucket = new MirroredBucket(objects);
    for (let at = 0; at < OBJECTS; at += PUTS_AT_A_TIME) {
      await Promise.all(Array.from({ length: PUTS_AT_A_TIME }, (_, index) => bucket.apply([put(at + index)])));
    }
    proxy = await startListingProxy(storage.endpoint);
    await startWorker();
    const pool = { url: worker.databaseUrl, schema: 'connections', entities, connectionsMax: 4 };
    database = await Database.open({ ...pool, statementTimeoutMs: 10_000 }, () => undefined);
    syncs = new SyncStore(database, database.dataSource.getRepository(SyncEntity));
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
      [tenantId, connectionId, name, sealed],
    );
  }, TIMEOUT_MS);
  afterAll(async () => {
    await worker.stop();
    await database.close();
    proxy.close();
    objects.close();
  });

  const sql = <Row extends object>(text: string, values: unknown[] = []) =>
    database.query<Row>({ name: '', text }, values);
  const keyOf = (number: number) => `f${number % 10}/${String(number).padStart(5, '0')}.txt`;
  const put = (number: number, text = 'x'): Change => ({ kind: 'put', key: keyOf(number), text });
  const randomChange = (): Change => {
    const kind = (['put', 'delete', 'rename'] as const)[random(3)] ?? 'put';
    if (kind === 'put') return put(random(OBJECTS), `${random(100)}`);
    return { kind, at: random(OBJECTS) / OBJECTS, to: `new/${random(OBJECTS)}` };
  };

  async function startWorker(): Promise<void> {
    const { databaseUrl, namespace } = worker ?? {};
    const environment = { KILN_ENCRYPTION_KEY: encryptionKey, KILN_OUTBOUND_ALLOW: '127.0.0.1' };
    const place = worker && { databaseUrl, namespace };
    worker = await startTestService({ name: 'connections', role: 'worker', environment, ...place });
  }

  it(
    'leave nodes that equal the bucket when others have completed the sync',
    async () => {
      for (let sync = 0; sync < SYNCS; sync++) {
        bucket.beginSync();
        const id = uuidv7();
        proxy.holdAt(random(4));
        await syncs.start(tenantId, id, connectionId);
        const status = async () => (await syncs.find(tenantId, id))?.status;
        for (let kill = 0; kill < KILLS; kill++) {
          await sql(`update syncs set due_at = now() where status in ('pending', 'syncing')`);
          await eventually(async () => proxy.isHeld() || (await status()) === 'completed');
          if (!proxy.isHeld()) break;
          worker.process.kill('SIGKILL');
          await bucket.apply(Array.from({ length: CHANGES }, randomChange));
          // The next worker continues after the last committed page.
          proxy.holdAt(random(2));
          if (kill === KILLS - 1) proxy.letGo();
          await startWorker();
        }
        await sql(`update syncs set due_at = now() where status in ('pending', 'syncing')`);
        await eventually(async () => (await status()) === 'completed');
        assertMirrors(await readNodes({ sql }, connectionId), bucket.versions(''), '');
      }
      const emitted = await sql<{ type: string }>(`select type from outbox where type = 'connection.synced'`);
      expect(emitted).toHaveLength(SYNCS);
    },
    TIMEOUT_MS,
  );
});
