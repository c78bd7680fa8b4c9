// A bucket that is not Kiln's own, with its owner's keys, on a store of its own on loopback.
import { startObjectStore } from '@kiln/object-store';
import aws4 from 'aws4';
import assert from 'node:assert/strict';
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
  /** Undefined when it is not there. */
  read(key: string): Promise<string | undefined>;
  /** The store goes away; its data stay. */
  stop(): Promise<void>;
  /** It is back, where it was. */
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
    put: async (key, text) => assert.equal((await call('PUT', key, text)).status, 200),
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
