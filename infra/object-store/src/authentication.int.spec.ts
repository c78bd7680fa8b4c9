import { GetObjectCommand, ListBucketsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BUCKET, CREDENTIALS, startTestStore, testClient, type TestStore } from './test-support/store.js';

let store: TestStore;
let nowMs: number | undefined;

before(async () => {
  store = await startTestStore({ now: () => nowMs ?? Date.now() });
  await store.client.send(
    new PutObjectCommand({ Bucket: BUCKET, Key: 'a b/ü+', Body: 'secret', ContentType: 'text/plain' }),
  );
});
after(() => store[Symbol.asyncDispose]());

const errorCode = async (response: Response): Promise<string> =>
  `${response.status} ${/<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? 'none'}`;

const signedGet = (expiresIn = 60): Promise<string> =>
  getSignedUrl(store.client, new GetObjectCommand({ Bucket: BUCKET, Key: 'a b/ü+' }), { expiresIn });
const signedPut = (key: string, contentType?: string): Promise<string> => {
  const command = new PutObjectCommand({ Bucket: BUCKET, Key: key, ...(contentType && { ContentType: contentType }) });
  const signed = contentType && { signableHeaders: new Set(['content-type']) };
  return getSignedUrl(store.client, command, { expiresIn: 60, ...signed });
};

test('anonymous requests, wrong secrets and unknown keys are refused, each with its own code', async () => {
  assert.equal(await errorCode(await fetch(`${store.url}/${BUCKET}/a`)), '403 AccessDenied');
  const send = (credentials: typeof CREDENTIALS): Promise<unknown> => {
    const client = testClient(store.url, credentials);
    return client.send(new ListBucketsCommand({})).finally(() => client.destroy());
  };
  await assert.rejects(send({ ...CREDENTIALS, secretAccessKey: 'wrong' }), { name: 'SignatureDoesNotMatch' });
  await assert.rejects(send({ ...CREDENTIALS, accessKeyId: 'unknown' }), { name: 'InvalidAccessKeyId' });
});

test('a signed request is good for 15 minutes around its own time', async () => {
  nowMs = Date.now() + 14 * 60_000;
  await store.client.send(new ListBucketsCommand({}));
  const client = testClient(store.url);
  for (const skewMs of [16 * 60_000, -16 * 60_000]) {
    nowMs = Date.now() + skewMs;
    await assert.rejects(client.send(new ListBucketsCommand({})), { name: 'RequestTimeTooSkewed' });
  }
  client.destroy();
  nowMs = undefined;
});

test('a presigned URL works without any client, until its last second', async () => {
  const url = await signedGet(60);
  assert.equal(await (await fetch(url)).text(), 'secret');
  nowMs = Date.now() + 61_000;
  const late = await fetch(url);
  assert.equal(late.status, 403);
  assert.match(await late.text(), /<Code>AccessDenied<\/Code><Message>Request has expired/);
  nowMs = Date.now() - 16 * 60_000;
  assert.equal(await errorCode(await fetch(url)), '403 AccessDenied');
  nowMs = undefined;
});

test('a presigned URL changed in any part is refused', async () => {
  const url = await signedGet();
  const changes: [string, string][] = [
    ['a%20b', 'a%20c'],
    ['X-Amz-Expires=60', 'X-Amz-Expires=61'],
    ['x-id=GetObject', 'x-id=GetObject&response-content-type=text%2Fhtml'],
    ['us-east-1', 'us-east-2'],
    ['X-Amz-SignedHeaders=host', 'X-Amz-SignedHeaders='],
  ];
  for (const [from, to] of changes) {
    assert.ok(url.includes(from), from);
    const { status } = await fetch(url.replace(from, to));
    assert.ok(status === 403 || status === 400, `${from} became ${status}`);
  }
  assert.equal(await errorCode(await fetch(url, { method: 'DELETE' })), '403 SignatureDoesNotMatch');
  assert.equal(
    await errorCode(await fetch(url.replace(/Expires=60/, 'Expires=999999'))),
    '400 AuthorizationQueryParametersError',
  );
});

test('a presigned PUT takes any content type unless one was signed, and no x-amz header that was not', async () => {
  const free = await signedPut('free');
  const ok = await fetch(free, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/csv' } });
  assert.equal(ok.status, 200);
  const bound = await signedPut('bound', 'image/png');
  const wrong = await fetch(bound, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/html' } });
  assert.equal(await errorCode(wrong), '403 SignatureDoesNotMatch');
  const right = await fetch(bound, { method: 'PUT', body: 'x', headers: { 'content-type': 'image/png' } });
  assert.equal(right.status, 200);
  const smuggled = await fetch(free, {
    method: 'PUT',
    body: 'x',
    headers: { 'x-amz-copy-source': `/${BUCKET}/a b/ü+`.replace('ü', '%C3%BC') },
  });
  assert.equal(await errorCode(smuggled), '403 AccessDenied');
});

test('a browser may use signed URLs: preflight and answers carry CORS headers', async () => {
  const url = await signedPut('from-browser');
  const headers = {
    origin: 'https://app.example',
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'content-type',
  };
  const preflight = await fetch(url, { method: 'OPTIONS', headers });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PUT/);
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'content-type');
  const put = await fetch(url, { method: 'PUT', body: 'x', headers: { origin: 'https://app.example' } });
  assert.match(put.headers.get('access-control-expose-headers') ?? '', /ETag/);
});

test('with origins configured, other pages get no CORS headers', async (t) => {
  const strict = await startTestStore({ corsOrigins: ['https://app.example'] });
  t.after(() => strict[Symbol.asyncDispose]());
  const ask = (origin: string): Promise<Response> =>
    fetch(`${strict.url}/${BUCKET}/x`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
    });
  assert.equal((await ask('https://app.example')).headers.get('access-control-allow-origin'), 'https://app.example');
  const refused = await ask('https://evil.example');
  assert.equal(refused.status, 403);
  assert.equal(refused.headers.get('access-control-allow-origin'), null);
});

test('health and metrics need no signature', async () => {
  const health = await fetch(`${store.url}/-/health`);
  assert.deepEqual([health.status, await health.json()], [200, { status: 'ok' }]);
  const metrics = await (await fetch(`${store.url}/-/metrics`)).text();
  assert.match(metrics, /^kiln_store_requests_total\{operation="PutObject",status="200"\} \d+$/m);
});
