/**
 * Real servers for integration tests. In a test run all files share the run's servers; a spec run by hand starts what
 * it asks for, once, and everything is gone when the process ends.
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

/** All four at once. A spec that needs one server only starts faster by hand with that one's own function. */
export async function testInfrastructure(): Promise<TestInfrastructure> {
  const [postgresUrl, natsUrl, redisUrl, storage] = await Promise.all([
    testPostgres(),
    testNats(),
    testRedis(),
    testStorage(),
  ]);
  return { postgresUrl, natsUrl, redisUrl, storage };
}

/** URL of a Postgres superuser. Shared: work in a database of your own, see createTestDatabase. */
export const testPostgres = once(async () => {
  return readTestConfig().postgresUrl ?? (await startPostgres(await ownServerOptions('postgres'))).url;
});

/** URL of a NATS server with JetStream. Shared: begin every subject and stream name with testNamespace(). */
export const testNats = once(async () => {
  return readTestConfig().natsUrl ?? (await startNats(await ownServerOptions('nats'))).url;
});

/** URL of a Redis server. Shared: begin every key with testNamespace(). */
export const testRedis = once(async () => {
  return readTestConfig().redisUrl ?? (await startRedis(await ownServerOptions('redis'))).url;
});

/** A bucket of the embedded object store. Shared: begin every key with testNamespace(). */
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
