/** Kiln's S3-compatible store as a separate process. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LauncherError } from '../errors.js';
import { ChildProcess } from '../processes/child-process.js';
import { compileCache, repositoryDirectory } from '../repository.js';
import type { RunningServer, ServerOptions } from './server.js';
import { keptSecret, makeDirectory, onFreePort, untilServing } from './server.js';

export interface ObjectStoreOptions extends ServerOptions {
  /** The URL for notifications of new objects, and their bearer token. Default: no notifications. */
  readonly notify?: { readonly url: string; readonly token: string } | undefined;
}

export interface RunningObjectStore extends RunningServer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly bucket: string;
  readonly region: string;
}

const BUCKET = 'kiln';
const REGION = 'us-east-1';

/** Starts the store and waits until its health check returns 200. */
export async function startObjectStore(options: ObjectStoreOptions): Promise<RunningObjectStore> {
  const entry = join(repositoryDirectory, 'infra/object-store/dist/main.js');
  if (!existsSync(entry)) {
    throw new LauncherError('entry_missing', `The object store is not built: ${entry} is missing. Run: npm run build`);
  }
  makeDirectory(options.directory);
  const accessKeyId = `kiln${keptSecret(options.directory, 'access-key-id').slice(0, 16)}`;
  const secretAccessKey = keptSecret(options.directory, 'secret-access-key');
  return onFreePort(options.port, async (port) => {
    const child = await ChildProcess.start({
      name: 'object-store',
      command: process.execPath,
      arguments: [entry],
      environment: {
        ...compileCache,
        KILN_STORE_HOST: '127.0.0.1',
        KILN_STORE_PORT: String(port),
        KILN_STORE_DIR: join(options.directory, 'objects'),
        KILN_STORE_ACCESS_KEY_ID: accessKeyId,
        KILN_STORE_SECRET_ACCESS_KEY: secretAccessKey,
        KILN_STORE_BUCKETS: BUCKET,
        UV_THREADPOOL_SIZE: '16',
        ...(options.notify && {
          KILN_STORE_NOTIFY_URL: options.notify.url,
          KILN_STORE_NOTIFY_TOKEN: options.notify.token,
          // The gateway and the workers know the objects that they store, so only signed uploads are reported.
          KILN_STORE_NOTIFY_OF: 'signed-url',
        }),
      },
      workingDirectory: options.directory,
      logPath: options.logPath ?? join(options.directory, 'object-store.log'),
      registry: options.registry,
      background: options.background,
    });
    const url = `http://127.0.0.1:${port}`;
    await untilServing(child, () => answersOk(`${url}/-/health`));
    return {
      url,
      port,
      accessKeyId,
      secretAccessKey,
      bucket: BUCKET,
      region: REGION,
      pid: child.pid,
      exited: child.exited,
      stop: async () => void (await child.stop()),
      kill: () => child.kill(),
    };
  });
}

/** Whether a GET returns 200 within two seconds. */
export async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000), redirect: 'error' });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
