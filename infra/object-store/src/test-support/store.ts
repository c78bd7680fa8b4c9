// Starts a store on a temporary folder for each test file, with an SDK client.
import { S3Client } from '@aws-sdk/client-s3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startObjectStore, type ObjectStoreOptions } from '../server.js';

export const CREDENTIALS = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };
export const BUCKET = 'tests';

export interface TestStore extends AsyncDisposable {
  url: string;
  directory: string;
  client: S3Client;
  failures: unknown[];
}

export async function startTestStore(options: Partial<ObjectStoreOptions> = {}): Promise<TestStore> {
  const directory = await mkdtemp(join(tmpdir(), 'kiln-store-'));
  const failures: unknown[] = [];
  const store = await startObjectStore({
    directory,
    ...CREDENTIALS,
    buckets: [BUCKET],
    durable: false,
    onFailure: (message, error) => failures.push(message, error),
    ...options,
  });
  const client = testClient(store.url);
  return {
    url: store.url,
    directory,
    client,
    failures,
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      await store.close(1_000);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The SDK with its defaults, checksum trailers included; `credentials` to be wrong on purpose. */
export const testClient = (url: string, credentials = CREDENTIALS): S3Client =>
  new S3Client({ endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials, maxAttempts: 1 });

export async function bodyOf(response: {
  Body?: { transformToByteArray(): Promise<Uint8Array> } | undefined;
}): Promise<Buffer> {
  return Buffer.from((await response.Body?.transformToByteArray()) ?? []);
}
