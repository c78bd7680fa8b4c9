import { GetObjectCommand, ListBucketsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { BUCKET, CREDENTIALS, startTestStore, testClient, type TestStore } from './test-support/store.js';

let store: TestStore;
let nowMs: number | undefined;

beforeAll(async () => {
  store = await startTestStore({ now: () => nowMs ?? Date.now() });
  await store.client.send(
    new PutObjectCommand({ Bucket: BUCKET, Key: 'a b/ü+', Body: 'secret', ContentType: 'text/plain' }),
  );
});
afterAll(async () => store[Symbol.asyncDispose]());

const errorCode = async (response: Response): Promise<string> =>
  `${response.status} ${/<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? 'none'}`;

const signedGet = (expiresIn = 60): Promise<string> =>
  getSignedUrl(store.client, new GetObjectCommand({ Bucket: BUCKET, Key: 'a b/ü+' }), { expiresIn });
const signedPut = (key: string, contentType?: string): Promise<string> => {
  const command = new PutObjectCommand({ Bucket: BUCKET, Key: key, ...(contentType && { ContentType: contentType }) });
  const signed = contentType && { signableHeaders: new Set(['content-type']) };
  return getSignedUrl(store.client, command, { expiresIn: 60, ...signed });
};

/** Stores of single tests, closed after each test. */
const own: TestStore[] = [];
afterEach(async () => {
  for (const store of own.splice(0)) await store[Symbol.asyncDispose]();
});

test('anonymous requests, wrong secrets and unknown keys are refused, each with a distinct error code', async () => {
  expect(await errorCode(await fetch(`${store.url}/${BUCKET}/a`))).toBe('403 AccessDenied');
  const send = (credentials: typeof CREDENTIALS): Promise<unknown> => {
    const client = testClient(store.url, credentials);
    return client.send(new ListBucketsCommand({})).finally(() => client.destroy());
  };
  await expect(send({ ...CREDENTIALS, secretAccessKey: 'wrong' })).rejects.toMatchObject({
    name: 'SignatureDoesNotMatch',
  });
  await expect(send({ ...CREDENTIALS, accessKeyId: 'unknown' })).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
});

test('a signed request is valid within 15 minutes of its time', async () => {
  nowMs = Date.now() + 14 * 60_000;
  await store.client.send(new ListBucketsCommand({}));
  const client = testClient(store.url);
  for (const skewMs of [16 * 60_000, -16 * 60_000]) {
    nowMs = Date.now() + skewMs;
    await expect(client.send(new ListBucketsCommand({}))).rejects.toMatchObject({ name: 'RequestTimeTooSkewed' });
  }
  client.destroy();
  nowMs = undefined;
});

test('a presigned URL works with a plain HTTP client until it expires', async () => {
  const url = await signedGet(60);
  expect(await (await fetch(url)).text()).toBe('secret');
  nowMs = Date.now() + 61_000;
  const late = await fetch(url);
  expect(late.status).toBe(403);
  expect(await late.text()).toMatch(/<Code>AccessDenied<\/Code><Message>Request has expired/);
  nowMs = Date.now() - 16 * 60_000;
  expect(await errorCode(await fetch(url))).toBe('403 AccessDenied');
  nowMs = undefined;
});

test.each([
  ['a%20b', 'a%20c'],
  ['X-Amz-Expires=60', 'X-Amz-Expires=61'],
  ['x-id=GetObject', 'x-id=GetObject&response-content-type=text%2Fhtml'],
  ['us-east-1', 'us-east-2'],
  ['X-Amz-SignedHeaders=host', 'X-Amz-SignedHeaders='],
])('a presigned URL is refused with %s changed to %s', async (from, to) => {
  const url = await signedGet();
  expect(url).toContain(from);
  const { status } = await fetch(url.replace(from, to));
  expect([400, 403]).toContain(status);
});

test('a presigned URL is refused for another method, or with a lifetime of more than a week', async () => {
  const url = await signedGet();
  expect(await errorCode(await fetch(url, { method: 'DELETE' }))).toBe('403 SignatureDoesNotMatch');
  expect(await errorCode(await fetch(url.replace(/Expires=60/, 'Expires=999999')))).toBe(
    '400 AuthorizationQueryParametersError',
  );
});

test('a presigned PUT accepts any content type unless one was signed, and no unsigned x-amz header', async () => {
  const free = await signedPut('free');
  const ok = await fetch(free, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/csv' } });
  expect(ok.status).toBe(200);
  const bound = await signedPut('bound', 'image/png');
  const wrong = await fetch(bound, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/html' } });
  expect(await errorCode(wrong)).toBe('403 SignatureDoesNotMatch');
  const right = await fetch(bound, { method: 'PUT', body: 'x', headers: { 'content-type': 'image/png' } });
  expect(right.status).toBe(200);
  const smuggled = await fetch(free, {
    method: 'PUT',
    body: 'x',
    headers: { 'x-amz-copy-source': `/${BUCKET}/a b/ü+`.replace('ü', '%C3%BC') },
  });
  expect(await errorCode(smuggled)).toBe('403 AccessDenied');
});

test('a browser may use signed URLs: preflight and other responses have CORS headers', async () => {
  const url = await signedPut('from-browser');
  const headers = {
    origin: 'https://app.example',
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'content-type',
  };
  const preflight = await fetch(url, { method: 'OPTIONS', headers });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-methods') ?? '').toMatch(/PUT/);
  expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
  const put = await fetch(url, { method: 'PUT', body: 'x', headers: { origin: 'https://app.example' } });
  expect(put.headers.get('access-control-expose-headers') ?? '').toMatch(/ETag/);
});

test('with origins configured, other pages get no CORS headers', async () => {
  const strict = await startTestStore({ corsOrigins: ['https://app.example'] });
  own.push(strict);
  const ask = (origin: string): Promise<Response> =>
    fetch(`${strict.url}/${BUCKET}/x`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
    });
  expect((await ask('https://app.example')).headers.get('access-control-allow-origin')).toBe('https://app.example');
  const refused = await ask('https://evil.example');
  expect(refused.status).toBe(403);
  expect(refused.headers.get('access-control-allow-origin')).toBeNull();
});

test('health and metrics need no signature', async () => {
  const health = await fetch(`${store.url}/-/health`);
  expect([health.status, await health.json()]).toStrictEqual([200, { status: 'ok' }]);
  const metrics = await (await fetch(`${store.url}/-/metrics`)).text();
  expect(metrics).toMatch(/^kiln_store_requests_total\{operation="PutObject",status="200"\} \d+$/m);
});
