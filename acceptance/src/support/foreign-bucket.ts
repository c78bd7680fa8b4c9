// An external bucket with its own keys, on a separate store on loopback.
import { expect } from '@jest/globals';
import { startObjectStore } from '@kiln/object-store';
import aws4 from 'aws4';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ForeignBucket {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  put(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Undefined if it does not exist. */
  read(key: string): Promise<string | undefined>;
  /** Stops the store and keeps its data. */
  stop(): Promise<void>;
  /** Starts the store at the same address. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

const REGION = 'us-east-1';

export async function startForeignBucket(): Promise<ForeignBucket> {
  const directory = await mkdtemp(join(tmpdir(), 'kiln-foreign-'));
  const bucket = 'their-documents';
  const keys = { accessKeyId: `AK${randomBytes(8).toString('hex')}`, secretAccessKey: randomBytes(24).toString('hex') };
  const options = { directory, buckets: [bucket], ...keys, durable: false };
  let store = await startObjectStore(options);
  const { url: endpoint } = store;
  const { port } = new URL(endpoint);

  async function call(method: string, key: string, body?: string): Promise<Response> {
    const { host } = new URL(endpoint);
    const path = `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
    const signed = aws4.sign({ service: 's3', region: REGION, method, host, path, ...(body && { body }) }, keys);
    const headers = signed.headers as Record<string, string>;
    return fetch(`${endpoint}${path}`, { method, headers, ...(body && { body }) });
  }

  return {
    endpoint,
    bucket,
    ...keys,
    put: async (key, text) => expect((await call('PUT', key, text)).status).toBe(200),
    delete: async (key) => expect((await call('DELETE', key)).status).toBe(204),
    read: async (key) => {
      const response = await call('GET', key);
      const text = await response.text();
      return response.status === 404 ? undefined : text;
    },
    stop: () => store.close(1_000),
    start: async () => {
      store = await startObjectStore({ ...options, port: Number(port) });
    },
    remove: async () => {
      await store.close(1_000);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
