import { CopyObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Upload } from '@aws-sdk/lib-storage';
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.js';
import { BUCKET as Bucket, startTestStore, type TestStore } from './test-support/store.js';

interface ArrivalRecord {
  eventName: string;
  s3: { bucket: { name: string }; object: { key: string; size: number; eTag: string } };
}

class Receiver {
  readonly records: ArrivalRecord[] = [];
  readonly authorizations = new Set<string | undefined>();
  readonly #server: Server;
  /** Responds with 503 this many times. */
  refusals = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  async start(): Promise<string> {
    return `http://127.0.0.1:${await listen(this.#server, '127.0.0.1', undefined)}/hook`;
  }

  async arrived(count: number): Promise<void> {
    while (this.records.length < count) await once(this.#server, 'received', { signal: AbortSignal.timeout(60_000) });
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request)) as { Records: ArrivalRecord[] };
    if (this.refusals > 0) {
      this.refusals -= 1;
      response.writeHead(503).end();
      return;
    }
    this.authorizations.add(request.headers.authorization);
    this.records.push(...body.Records);
    response.writeHead(204).end();
    this.#server.emit('received');
  }
}

/** Stores of single tests, closed after each test. */
const own: TestStore[] = [];
afterEach(async () => {
  for (const store of own.splice(0)) await store[Symbol.asyncDispose]();
});

test('every new object is reported once, with bucket, encoded key, size and tag, even after the receiver failed', async () => {
  const receiver = new Receiver();
  receiver.refusals = 2;
  const store = await startTestStore({ notify: { url: await receiver.start(), token: 'hook-token' } });
  own.push(store);
  const { ETag } = await store.client.send(new PutObjectCommand({ Bucket, Key: 'a b/ü+.txt', Body: 'hello' }));
  await store.client.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/a%20b/%C3%BC%2B.txt` }));
  await new Upload({
    client: store.client,
    params: { Bucket, Key: 'big', Body: Buffer.alloc(6 * 1024 * 1024) },
  }).done();
  await receiver.arrived(3);
  receiver.stop();
  expect(
    receiver.records.map(({ eventName, s3 }) => [eventName, s3.bucket.name, s3.object.key, s3.object.size]),
  ).toStrictEqual([
    ['ObjectCreated:Put', Bucket, 'a+b/%C3%BC%2B.txt', 5],
    ['ObjectCreated:Copy', Bucket, 'copy', 5],
    ['ObjectCreated:CompleteMultipartUpload', Bucket, 'big', 6 * 1024 * 1024],
  ]);
  expect(`"${receiver.records[0]?.s3.object.eTag}"`).toBe(ETag);
  expect([...receiver.authorizations]).toStrictEqual(['Bearer hook-token']);
});

test('with the filter signed-url, objects stored with the access key are not reported', async () => {
  const receiver = new Receiver();
  const store = await startTestStore({ notify: { url: await receiver.start(), of: 'signed-url' } });
  own.push(store);
  await store.client.send(new PutObjectCommand({ Bucket, Key: 'own', Body: 'hello' }));
  const url = await getSignedUrl(store.client, new PutObjectCommand({ Bucket, Key: 'theirs' }), { expiresIn: 60 });
  expect((await fetch(url, { method: 'PUT', body: 'hello' })).status).toBe(200);
  await receiver.arrived(1);
  receiver.stop();
  expect(receiver.records.map(({ s3 }) => s3.object.key)).toStrictEqual(['theirs']);
});

test('a receiver that never answers delays neither a PUT nor the shutdown of the store', async () => {
  let calls = 0;
  const silent = createServer(() => void (calls += 1));
  const store = await startTestStore({
    notify: { url: `http://127.0.0.1:${await listen(silent, '127.0.0.1', undefined)}` },
  });
  // One after the other: with five attempts for each, they would take minutes if they waited.
  for (let at = 0; at < 20; at += 1)
    await store.client.send(new PutObjectCommand({ Bucket, Key: `k${at}`, Body: 'x' }));
  await store[Symbol.asyncDispose]();
  expect(calls).toBeLessThan(20);
  silent.closeAllConnections();
  silent.close();
});
