/** The servers that Kiln depends on. They are started and supervised here, unless the configuration names others. */
import { join } from 'node:path';
import type { ProcessRegistry } from '../processes/process-registry.js';
import { startModels } from '../servers/models.js';
import { startNatsForServices, type RunningNats } from '../servers/nats.js';
import type { RunningObjectStore } from '../servers/object-store.js';
import { startObjectStore } from '../servers/object-store.js';
import { startPostgres } from '../servers/postgres.js';
import { startRedis } from '../servers/redis.js';
import type { RunningServer, ServerOptions } from '../servers/server.js';
import type { ExternalStorage, LauncherConfig } from './config.js';
import type { LocalModels } from './local-models.js';
import type { SupervisionOptions } from './supervisor.js';
import { Supervisor } from './supervisor.js';

export interface ServerHooks extends Pick<SupervisionOptions<unknown>, 'onCrash' | 'onRestart'> {
  readonly report: (line: string) => void;
  /** Called for each server when it runs, in any order, so that a failing start can stop the others. */
  readonly onStarted: (name: string, server: Supervisor<RunningServer>) => void;
}

/** A server started here (`own`), or a configured one (without pid). */
export interface ServerInUse {
  readonly url: string;
  readonly own: Supervisor<RunningServer> | undefined;
}

export interface Servers {
  readonly postgres: ServerInUse;
  /** `url` is that of the operator. Another server has one login for all. */
  readonly nats: ServerInUse & { readonly urlOf: (service: string) => string };
  readonly redis: ServerInUse;
  readonly objectStore: ServerInUse & { readonly storage: ExternalStorage };
  /** Null without installed models that are needed. */
  readonly models: ServerInUse | null;
}

export async function startServers(
  config: LauncherConfig,
  registry: ProcessRegistry,
  arrivals: { readonly url: string; readonly token: string },
  models: LocalModels | null,
  hooks: ServerHooks,
): Promise<Servers> {
  const run = async <Server extends RunningServer>(
    name: string,
    start: (options: ServerOptions) => Promise<Server>,
  ): Promise<{ url: string; own: Supervisor<Server> }> => {
    const options = {
      directory: join(config.dataDirectory, name),
      logPath: join(config.dataDirectory, 'logs', `${name}.log`),
      registry,
      report: hooks.report,
    };
    let port: number | undefined;
    const own = await Supervisor.start<Server>({
      ...hooks,
      name,
      start: async () => {
        const server = await start({ ...options, port });
        port = server.port;
        return server;
      },
    });
    hooks.onStarted(name, own);
    hooks.report(`${name} is up`);
    return { url: own.current.url, own };
  };
  const { databaseUrl, natsUrl, redisUrl, storage } = config.external;
  const use = async (name: string, external: string | undefined, start: typeof startPostgres): Promise<ServerInUse> =>
    external === undefined ? run(name, start) : { url: external, own: undefined };

  const starting = [
    use('postgres', databaseUrl, startPostgres),
    natsUrl === undefined ? run('nats', startNatsForServices).then(withLogins) : oneLogin(natsUrl),
    use('redis', redisUrl, startRedis),
  ] as const;
  const startingStore = storage
    ? { url: storage.endpoint, own: undefined, storage }
    : run('object-store', (options) => startObjectStore({ ...options, notify: arrivals })).then(describeStore);
  const startingModels = models ? run('models', (options) => startModels({ ...options, ...models })) : null;
  // Wait for all, so that none is still starting while the others are stopped.
  await Promise.allSettled([...starting, startingStore, startingModels]);
  const [postgres, nats, redis] = await Promise.all(starting);
  return { postgres, nats, redis, objectStore: await startingStore, models: await startingModels };
}

const withLogins = ({ url, own }: { url: string; own: Supervisor<RunningNats> }): Servers['nats'] => ({
  url,
  own,
  urlOf: (service) => own.current.urlOf(service),
});

const oneLogin = async (url: string): Promise<Servers['nats']> => ({ url, own: undefined, urlOf: () => url });

function describeStore({ url, own }: { url: string; own: Supervisor<RunningObjectStore> }): Servers['objectStore'] {
  const { bucket, region, accessKeyId, secretAccessKey } = own.current;
  return { url, own, storage: { endpoint: url, bucket, region, accessKeyId, secretAccessKey, forcePathStyle: true } };
}
