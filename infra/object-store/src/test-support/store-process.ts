// The store as its own process, to measure it and to kill it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listen } from '../listen.js';
import { BUCKET, CREDENTIALS } from './store.js';

export interface StoreProcess {
  url: string;
  child: ChildProcess;
  exited: Promise<unknown>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, '127.0.0.1', undefined);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function startStoreProcess(directory: string): Promise<StoreProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      KILN_STORE_DIR: directory,
      KILN_STORE_PORT: String(port),
      KILN_STORE_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      KILN_STORE_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      KILN_STORE_BUCKETS: BUCKET,
    },
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const { message, url } = JSON.parse(line) as { message: string; url: string };
    if (message === 'ready') return { url, child, exited };
  }
  throw new Error('the store did not start');
}
