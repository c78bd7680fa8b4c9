import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createS3ObjectStore } from './index.js';
import { protectsBodies } from './s3-unsigned-bodies.js';

test('bodies are signed only over plain http to other hosts', () => {
  const unsigned = [undefined, 'https://s3.example.com', 'http://localhost:9000', 'http://127.0.0.1', 'http://[::1]:1'];
  for (const endpoint of unsigned) expect([endpoint, protectsBodies(endpoint)]).toStrictEqual([endpoint, true]);
  const signed = [
    'http://minio:9000',
    'http://10.0.0.1',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
  ];
  for (const endpoint of signed) expect([endpoint, protectsBodies(endpoint)]).toStrictEqual([endpoint, false]);
});

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
