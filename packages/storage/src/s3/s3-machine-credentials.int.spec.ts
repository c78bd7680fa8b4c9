// Real: the embedded store. Faked: what gives credentials to pods, by the protocol of EKS Pod Identity.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startObjectStore, type RunningObjectStore } from '@kiln/object-store';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openObjectStore, secondsSigned } from '../index.js';
import { createS3ObjectStore } from './index.js';

const keys = { accessKeyId: 'key', secretAccessKey: 'secret' };
const expiration = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_200_000);
const given = { AccessKeyId: 'key', SecretAccessKey: 'secret', Token: 'token-of-a-pod', Expiration: expiration };

// oxlint-disable-next-line node/no-process-env -- the SDK reads it, as it will in production
const { env } = process;
const earlier = { ...env };
let directory: string;
let server: RunningObjectStore;
let agent: Server | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kiln-machine-'));
  server = await startObjectStore({ directory, ...keys, durable: false });
  const nowhere = join(directory, 'none');
  for (const name of Object.keys(env)) if (name.startsWith('AWS_')) delete env[name];
  Object.assign(env, {
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: nowhere,
    AWS_SHARED_CREDENTIALS_FILE: nowhere,
  });
});
afterEach(() => {
  delete env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  agent?.closeAllConnections();
  agent?.close();
});
afterAll(async () => {
  for (const name of Object.keys(env)) if (name.startsWith('AWS_')) delete env[name];
  Object.assign(env, earlier);
  await server.close(1_000);
  await rm(directory, { recursive: true });
});

async function startAgent(listener: RequestListener): Promise<void> {
  agent = createServer(listener).listen(0, '127.0.0.1');
  await once(agent, 'listening');
  env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/`;
}
const placeOf = ({ url }: RunningObjectStore) => ({
  endpoint: url,
  region: 'us-east-1',
  bucket: 'files',
  forcePathStyle: true,
});

test('a process without keys uses the credentials of its pod, requests them once, and signs no URL that outlives them', async () => {
  let asked = 0;
  await startAgent((_request, response) => {
    asked++;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(given));
  });
  const { endpoint, region, bucket } = placeOf(server);
  const store = await openObjectStore({
    KILN_STORAGE_PROVIDER: 's3',
    KILN_STORAGE_ENDPOINT: endpoint,
    KILN_STORAGE_REGION: region,
    KILN_STORAGE_BUCKET: bucket,
    KILN_STORAGE_FORCE_PATH_STYLE: true,
  });
  await store.ensureBucket();
  await store.put('a', 'bytes', { contentType: 'text/plain' });
  expect((await store.head('a'))?.sizeBytes).toBe(5);
  expect(await store.keysExpireAt()).toStrictEqual(expiration);
  expect(await secondsSigned(store, 3_600)).toBeLessThanOrEqual(1_200);
  expect(await secondsSigned(store, 5)).toBe(5);
  const url = await store.signGet('a', { expiresSeconds: 60 });
  expect(new URL(url).searchParams.get('X-Amz-Security-Token')).toBe('token-of-a-pod');
  expect(await (await fetch(url)).text()).toBe('bytes');
  expect(asked).toBe(1);
  store.close();
});

test('a machine to which AWS gives no credentials gets an error that says what to do, and may try again', async () => {
  const store = createS3ObjectStore(placeOf(server));
  await expect(store.head('a')).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
    message: expect.stringMatching(/AWS gives it none; give it a role, or set KILN_STORAGE_ACCESS_KEY_ID/),
  });
  store.close();
});

test('credentials that do not come are not waited for longer than for a request', async () => {
  await startAgent(() => undefined);
  const store = createS3ObjectStore({ ...placeOf(server), requestTimeoutMs: 100 });
  await expect(store.signGet('a', { expiresSeconds: 60 })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/no answer within 100 ms/),
  });
  store.close();
});
