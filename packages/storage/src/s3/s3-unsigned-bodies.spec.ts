import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createS3ObjectStore } from './index.js';
import { protectsBodies } from './s3-unsigned-bodies.js';

const safe = [undefined, 'https://s3.example.com', 'http://localhost:9000', 'http://127.0.0.1', 'http://[::1]:1'];
test.each(safe)('bodies to %s are not signed: TLS or the machine protects them', (endpoint) => {
  expect(protectsBodies(endpoint)).toBe(true);
});

test.each(['http://minio:9000', 'http://10.0.0.1', 'http://127.0.0.1.example.com', 'http://localhost.example.com'])(
  'bodies to %s are signed: plain http to another host',
  (endpoint) => {
    expect(protectsBodies(endpoint)).toBe(false);
  },
);

test('a request declares whether its body is signed', async () => {
  const hashes: unknown[] = [];
  const server = createServer((request, response) => {
    hashes.push(request.headers['x-amz-content-sha256']);
    response.setHeader('ETag', '"tag"').end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const put = async (host: string): Promise<void> => {
    const endpoint = `http://${host}:${port}`;
    const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const store = createS3ObjectStore({ endpoint, region: 'r', bucket: 'b', forcePathStyle: true, ...keys });
    await store.put('key', 'body', { contentType: 'x/y' });
    store.close();
  };
  try {
    await put('127.0.0.1');
    await put('0.0.0.0'); // also this machine, but the rule does not recognize it
  } finally {
    server.close();
  }
  expect(hashes).toStrictEqual(['UNSIGNED-PAYLOAD', createHash('sha256').update('body').digest('hex')]);
});
