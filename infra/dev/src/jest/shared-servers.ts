/** The servers of all integration specs of a run, and the variables with their addresses. */
import { join } from 'node:path';
import { startNats } from '../servers/nats.js';
import { startObjectStore } from '../servers/object-store.js';
import { startPostgres } from '../servers/postgres.js';
import { startRedis } from '../servers/redis.js';
import type { RunningServer } from '../servers/server.js';
import { makeTemporaryHome } from '../servers/temporary-home.js';

export interface SharedServers {
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function startSharedServers(report: (line: string) => void): Promise<SharedServers> {
  const home = await makeTemporaryHome();
  const options = (name: string) => ({ directory: join(home.directory, name), registry: home.registry, report });
  const starting = [
    startPostgres(options('postgres')),
    startNats(options('nats')),
    startRedis(options('redis')),
    startObjectStore(options('object-store')),
  ] as const;
  const stop = async () => {
    const started = await Promise.allSettled<RunningServer>(starting);
    await Promise.all(started.flatMap((server) => (server.status === 'fulfilled' ? [server.value.stop()] : [])));
    home.remove();
  };
  try {
    const [postgres, nats, redis, store] = await Promise.all(starting);
    const environment = {
      KILN_TEST_POSTGRES_URL: postgres.url,
      KILN_TEST_NATS_URL: nats.url,
      KILN_TEST_REDIS_URL: redis.url,
      KILN_TEST_STORAGE_ENDPOINT: store.url,
      KILN_TEST_STORAGE_BUCKET: store.bucket,
      KILN_TEST_STORAGE_REGION: store.region,
      KILN_TEST_STORAGE_ACCESS_KEY_ID: store.accessKeyId,
      KILN_TEST_STORAGE_SECRET_ACCESS_KEY: store.secretAccessKey,
    };
    return { environment, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}
