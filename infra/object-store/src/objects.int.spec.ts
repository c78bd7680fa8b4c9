import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { bodyOf, BUCKET as Bucket, startTestStore, type TestStore } from './test-support/store.js';

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore({ limits: { putBytesMax: 1024 * 1024 } });
});
afterAll(async () => {
  expect(store.failures).toStrictEqual([]);
  await store[Symbol.asyncDispose]();
});

const put = (Key: string, Body: string | Buffer = Key): Promise<{ ETag?: string | undefined }> =>
  store.client.send(new PutObjectCommand({ Bucket, Key, Body }));
const getText = async (Key: string, options: object = {}): Promise<string> =>
  (await bodyOf(await store.client.send(new GetObjectCommand({ Bucket, Key, ...options })))).toString();

test('an object is returned with its bytes, type, headers, metadata and MD5 tag', async () => {
  const Body = Buffer.from('héllo');
  const sent = { ContentType: 'text/x-test; charset=utf-8', CacheControl: 'max-age=1', Metadata: { colour: 'blue' } };
  await store.client.send(new PutObjectCommand({ Bucket, Key: 'kept', Body, ...sent }));
  const head = await store.client.send(new HeadObjectCommand({ Bucket, Key: 'kept' }));
  expect(head.ContentLength).toBe(Body.length);
  expect(head.ETag).toBe(`"${createHash('md5').update(Body).digest('hex')}"`);
  expect({ ContentType: head.ContentType, CacheControl: head.CacheControl, Metadata: head.Metadata }).toStrictEqual(
    sent,
  );
  expect(await getText('kept')).toBe('héllo');
});

test('a stream sent in signed chunks with a checksum trailer is stored without its framing', async () => {
  const Body = Readable.from([Buffer.alloc(70_000, 'a'), Buffer.alloc(70_000, 'b')]);
  const command = new PutObjectCommand({
    Bucket,
    Key: 'chunked',
    Body,
    ContentLength: 140_000,
    ChecksumAlgorithm: 'CRC32',
  });
  await store.client.send(command);
  expect(await getText('chunked')).toBe('a'.repeat(70_000) + 'b'.repeat(70_000));
  const head = await store.client.send(new HeadObjectCommand({ Bucket, Key: 'chunked' }));
  expect(head.ContentEncoding).toBeUndefined();
});

test('a range returns 206 with exactly those bytes, and 416 beyond the end', async () => {
  await put('range', '0123456789');
  for (const [Range, expected] of Object.entries({
    'bytes=0-0': '0',
    'bytes=3-': '3456789',
    'bytes=-4': '6789',
    'bytes=8-99': '89',
  })) {
    const answer = await store.client.send(new GetObjectCommand({ Bucket, Key: 'range', Range }));
    expect(answer.$metadata.httpStatusCode).toBe(206);
    expect(answer.ContentRange ?? '').toMatch(/^bytes \d+-\d+\/10$/);
    expect((await bodyOf(answer)).toString()).toBe(expected);
  }
  await expect(getText('range', { Range: 'bytes=10-' })).rejects.toMatchObject({ name: 'InvalidRange' });
});

test('conditional requests work for reading and for writing', async () => {
  const { ETag } = await put('conditional', 'v1');
  expect(await getText('conditional', { IfMatch: ETag })).toBe('v1');
  await expect(getText('conditional', { IfMatch: '"other"' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
  await expect(getText('conditional', { IfNoneMatch: ETag })).rejects.toMatchObject({
    $metadata: { httpStatusCode: 304 },
  });
  const write = (options: object): Promise<unknown> =>
    store.client.send(new PutObjectCommand({ Bucket, Key: 'conditional', Body: 'v2', ...options }));
  await expect(write({ IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
  await expect(write({ IfMatch: '"other"' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
  await write({ IfMatch: ETag });
  expect(await getText('conditional')).toBe('v2');
});

test('when many writers create the same key, exactly one succeeds', async () => {
  const write = (): Promise<unknown> =>
    store.client.send(new PutObjectCommand({ Bucket, Key: 'race', Body: 'x', IfNoneMatch: '*' }));
  const results = await Promise.allSettled(Array.from({ length: 20 }, write));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('concurrent overwrites never show a mixture of two bodies', async () => {
  const bodies = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000));
  await put('overwritten', bodies[0]);
  const writes = bodies.flatMap((body) => [put('overwritten', body), put('overwritten', body)]);
  const reads = Array.from({ length: 20 }, () => getText('overwritten'));
  for (const text of await Promise.all(reads)) expect(bodies).toContain(text);
  await Promise.all(writes);
});

test('a body that does not match its checksum is refused, and the old object stays', async () => {
  await put('guarded', 'old');
  const wrongMd5 = createHash('md5').update('other').digest('base64');
  const command = new PutObjectCommand({ Bucket, Key: 'guarded', Body: 'new', ContentMD5: wrongMd5 });
  await expect(store.client.send(command)).rejects.toMatchObject({ name: 'BadDigest' });
  expect(await getText('guarded')).toBe('old');
});

test('a body larger than the limit of one PUT is refused before it is sent', async () => {
  await expect(put('huge', Buffer.alloc(1024 * 1024 + 1))).rejects.toMatchObject({ name: 'EntityTooLarge' });
});

test('an aborted upload leaves no object and no temporary file', async () => {
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
  const url = await getSignedUrl(store.client, new PutObjectCommand({ Bucket, Key: 'cut' }), { expiresIn: 60 });
  const staged = (): Promise<string[]> => readdir(join(store.directory, 'tmp'));
  const upload = request(url, { method: 'PUT', headers: { 'content-length': 100_000 } });
  upload.on('error', () => undefined);
  upload.write(Buffer.alloc(50_000));
  await eventually(async () => (await staged()).length > 0);
  upload.destroy();
  await eventually(async () => (await staged()).length === 0);
  await expect(getText('cut')).rejects.toMatchObject({ name: 'NoSuchKey' });
});

test('an object can be copied, with its metadata or with new', async () => {
  await store.client.send(new PutObjectCommand({ Bucket, Key: 'from ü', Body: 'copy me', ContentType: 'text/a' }));
  const CopySource = `${Bucket}/${encodeURIComponent('from ü')}`;
  await store.client.send(new CopyObjectCommand({ Bucket, Key: 'to', CopySource }));
  const replaced = { ContentType: 'text/b', MetadataDirective: 'REPLACE' as const };
  await store.client.send(new CopyObjectCommand({ Bucket, Key: 'to-new', CopySource, ...replaced }));
  expect(await getText('to')).toBe('copy me');
  const types = await Promise.all(
    ['to', 'to-new'].map(async (Key) => (await store.client.send(new HeadObjectCommand({ Bucket, Key }))).ContentType),
  );
  expect(types).toStrictEqual(['text/a', 'text/b']);
});

test('deleting is idempotent, one by one and in bulk, and removes empty folders', async () => {
  await put('gone/deep/down/1');
  await put('gone/<&>\r\n2');
  await store.client.send(new DeleteObjectCommand({ Bucket, Key: 'gone/deep/down/1' }));
  await store.client.send(new DeleteObjectCommand({ Bucket, Key: 'gone/deep/down/1' }));
  const Objects = ['gone/<&>\r\n2', 'gone/never'].map((Key) => ({ Key }));
  const answer = await store.client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(answer.Deleted).toStrictEqual(Objects);
  await expect(getText('gone/<&>\r\n2')).rejects.toMatchObject({ name: 'NoSuchKey' });
  expect(await readdir(join(store.directory, 'buckets', Bucket))).not.toContain('gone.d');
});

test('listings page through more than a thousand keys, in both versions, with prefixes and delimiters', async () => {
  const keys = Array.from({ length: 1100 }, (_, at) => `list/${String(at % 11).padStart(2, '0')}/${at}`).sort();
  for (let at = 0; at < keys.length; at += 50) await Promise.all(keys.slice(at, at + 50).map((key) => put(key)));
  const first = await store.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'list/' }));
  expect(first.KeyCount).toBe(1000);
  const ContinuationToken = first.NextContinuationToken;
  const second = await store.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'list/', ContinuationToken }));
  const listed = [...(first.Contents ?? []), ...(second.Contents ?? [])].map(({ Key }) => Key);
  expect(listed).toStrictEqual(keys);
  const grouped = await store.client.send(
    new ListObjectsV2Command({ Bucket, Prefix: 'list/', Delimiter: '/', StartAfter: 'list/03/' }),
  );
  expect(grouped.CommonPrefixes?.map(({ Prefix }) => Prefix).slice(0, 2)).toStrictEqual(['list/04/', 'list/05/']);
  const old = await store.client.send(new ListObjectsCommand({ Bucket, Prefix: 'list/', Delimiter: '/', MaxKeys: 2 }));
  expect([old.IsTruncated, old.NextMarker]).toStrictEqual([true, 'list/01/']);
  const next = await store.client.send(
    new ListObjectsCommand({ Bucket, Prefix: 'list/', Delimiter: '/', Marker: old.NextMarker }),
  );
  expect(next.CommonPrefixes?.[0]?.Prefix).toBe('list/02/');
});

test('buckets are created once, listed, located, and only deleted when empty', async () => {
  const second = { Bucket: 'second' };
  await store.client.send(new CreateBucketCommand(second));
  await expect(store.client.send(new CreateBucketCommand(second))).rejects.toMatchObject({
    name: 'BucketAlreadyOwnedByYou',
  });
  const { Buckets } = await store.client.send(new ListBucketsCommand({}));
  expect(Buckets?.map(({ Name }) => Name)).toStrictEqual(['second', Bucket]);
  await store.client.send(new GetBucketLocationCommand(second));
  await store.client.send(new PutObjectCommand({ ...second, Key: 'x/y', Body: 'z' }));
  await expect(store.client.send(new DeleteBucketCommand(second))).rejects.toMatchObject({ name: 'BucketNotEmpty' });
  await store.client.send(new DeleteObjectCommand({ ...second, Key: 'x/y' }));
  await store.client.send(new DeleteBucketCommand(second));
  await expect(store.client.send(new HeadBucketCommand(second))).rejects.toMatchObject({ name: 'NotFound' });
  await expect(store.client.send(new ListObjectsV2Command(second))).rejects.toMatchObject({ name: 'NoSuchBucket' });
  await expect(store.client.send(new CreateBucketCommand({ Bucket: 'UPPER' }))).rejects.toMatchObject({
    name: 'InvalidBucketName',
  });
});

test('unsupported operations are refused, never mistaken for others', async () => {
  await put('tagged', 'data');
  const command = new PutObjectTaggingCommand({ Bucket, Key: 'tagged', Tagging: { TagSet: [] } });
  await expect(store.client.send(command)).rejects.toMatchObject({ name: 'NotImplemented' });
  expect(await getText('tagged')).toBe('data');
});
