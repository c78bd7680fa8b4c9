/**
 * Real servers for integration tests. All files of a test run share its servers. A spec that runs alone starts the servers it uses,
 * once, and they stop when the process ends.
 */
import { startNats, startObjectStore, startPostgres, startRedis } from '@kiln/dev';
import type { TestStorage } from './config.js';
import { readTestConfig } from './config.js';
import { ownServerOptions } from './own-servers.js';

export interface TestInfrastructure {
  readonly postgresUrl: string;
  readonly natsUrl: string;
  readonly redisUrl: string;
  readonly storage: TestStorage;
}

/** Starts all four. A spec that needs one server starts faster with that server's own function. */
export async function testInfrastructure(): Promise<TestInfrastructure> {
  const [postgresUrl, natsUrl, redisUrl, storage] = await Promise.all([
    testPostgres(),
    testNats(),
    testRedis(),
    testStorage(),
  ]);
  return { postgresUrl, natsUrl, redisUrl, storage };
}

/** URL of a Postgres superuser. Shared: use your own database, see createTestDatabase. */
export const testPostgres = once(async () => {
  return readTestConfig().postgresUrl ?? (await startPostgres(await ownServerOptions('postgres'))).url;
});

/** URL of a NATS server with JetStream. Shared: start every subject and stream name with testNamespace(). */
export const testNats = once(async () => {
  return readTestConfig().natsUrl ?? (await startNats(await ownServerOptions('nats'))).url;
});

/** URL of a Redis server. Shared: start every key with testNamespace(). */
export const testRedis = once(async () => {
  return readTestConfig().redisUrl ?? (await startRedis(await ownServerOptions('redis'))).url;
});

/** A bucket of the embedded object store. Shared: start every key with testNamespace(). */
export const testStorage = once(async (): Promise<TestStorage> => {
  const shared = readTestConfig().storage;
  if (shared) return shared;
  const store = await startObjectStore(await ownServerOptions('object-store'));
  const { url: endpoint, bucket, region, accessKeyId, secretAccessKey } = store;
  return { endpoint, bucket, region, accessKeyId, secretAccessKey };
});

function once<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => (started ??= start());
}
