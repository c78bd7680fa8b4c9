// The store as its own process, to measure it and to kill it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BUCKET, CREDENTIALS } from './store.js';

export interface StoreProcess {
  url: string;
  child: ChildProcess;
  exited: Promise<unknown>;
}

export async function startStoreProcess(directory: string): Promise<StoreProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      KILN_STORE_DIR: directory,
      KILN_STORE_PORT: '0',
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
