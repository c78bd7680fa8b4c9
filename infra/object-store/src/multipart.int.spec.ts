import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type ListMultipartUploadsCommandOutput,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startObjectStore } from './server.js';
import { bodyOf, BUCKET as Bucket, CREDENTIALS, startTestStore, type TestStore } from './test-support/store.js';

const MEBIBYTE = 1024 * 1024;
let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(async () => {
  expect(store.failures).toStrictEqual([]);
  await store[Symbol.asyncDispose]();
});

const create = async (Key: string): Promise<string> =>
  (await store.client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'text/parts' }))).UploadId ??
  '';
const uploadPart = (
  Key: string,
  UploadId: string,
  PartNumber: number,
  Body: Buffer,
): Promise<{ ETag?: string | undefined }> =>
  store.client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
const complete = (
  Key: string,
  UploadId: string,
  Parts: { PartNumber: number; ETag?: string | undefined }[],
): Promise<{ ETag?: string | undefined }> =>
  store.client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));

/** Stores of single tests, closed after each test. */
const own: TestStore[] = [];
afterEach(async () => {
  for (const store of own.splice(0)) await store[Symbol.asyncDispose]();
});

test('a stream uploaded in parts by lib-storage is stored completely, and its tag is the MD5 of its parts', async () => {
  const body = randomBytes(20 * MEBIBYTE);
  const params = { Bucket, Key: 'big', Body: Readable.from(pieces(body, 100_000)), ContentType: 'x/big' };
  await new Upload({ client: store.client, params, partSize: 5 * MEBIBYTE, queueSize: 4 }).done();
  const stored = await store.client.send(new GetObjectCommand({ Bucket, Key: 'big' }));
  expect((await bodyOf(stored)).equals(body)).toBe(true);
  const hash = createHash('md5');
  for (const part of pieces(body, 5 * MEBIBYTE)) hash.update(createHash('md5').update(part).digest());
  expect(stored.ETag).toBe(`"${hash.digest('hex')}-4"`);
  expect(stored.ContentType).toBe('x/big');
});

test('a durable store keeps the bytes of large parts unchanged, sent in chunks or plainly', async () => {
  const durable = await startTestStore({ durable: true });
  own.push(durable);
  const body = randomBytes(17 * MEBIBYTE + 5);
  const params = { Bucket, Key: 'chunked', Body: Readable.from(pieces(body, 100_000)) };
  await new Upload({ client: durable.client, params, partSize: 8 * MEBIBYTE, queueSize: 3 }).done();
  const start = { Bucket, Key: 'plain' };
  const { UploadId } = await durable.client.send(new CreateMultipartUploadCommand(start));
  const Parts = await Promise.all(
    [...pieces(body, 6 * MEBIBYTE)].map(async (part, at) => {
      const place = { ...start, UploadId, PartNumber: at + 1 };
      const url = await getSignedUrl(durable.client, new UploadPartCommand(place));
      const answer = await fetch(url, { method: 'PUT', body: part });
      return { PartNumber: at + 1, ETag: answer.headers.get('etag') ?? '' };
    }),
  );
  await durable.client.send(new CompleteMultipartUploadCommand({ ...start, UploadId, MultipartUpload: { Parts } }));
  for (const Key of ['chunked', 'plain']) {
    const stored = await bodyOf(await durable.client.send(new GetObjectCommand({ Bucket, Key })));
    if (!stored.equals(body)) throw new Error(`${Key} is not stored as it was sent`);
  }
});

test('a part without a hash gets a random tag, and the tag of a part with Content-MD5 is that MD5', async () => {
  const UploadId = await create('tags');
  const url = await getSignedUrl(store.client, new UploadPartCommand({ Bucket, Key: 'tags', UploadId, PartNumber: 1 }));
  const send = async (headers: Record<string, string>): Promise<string | null> => {
    const answer = await fetch(url, { method: 'PUT', body: 'the same bytes', headers });
    expect(answer.status).toBe(200);
    return answer.headers.get('etag');
  };
  const md5 = createHash('md5').update('the same bytes');
  const tags = [await send({}), await send({}), await send({ 'Content-MD5': md5.copy().digest('base64') })];
  expect(tags[2]).toBe(`"${md5.digest('hex')}"`);
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) expect(tag ?? '').toMatch(/^"[0-9a-f]{32}"$/);
  await complete('tags', UploadId, [{ PartNumber: 1, ETag: tags[2] ?? '' }]);
});

test('parts arrive in any order, may be replaced, and are listed until completion', async () => {
  const UploadId = await create('parts');
  const last = await uploadPart('parts', UploadId, 7, Buffer.from('end'));
  await uploadPart('parts', UploadId, 2, Buffer.alloc(5 * MEBIBYTE, 'x'));
  const first = await uploadPart('parts', UploadId, 2, Buffer.alloc(5 * MEBIBYTE, 'y'));
  const { Parts } = await store.client.send(new ListPartsCommand({ Bucket, Key: 'parts', UploadId }));
  expect(Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toStrictEqual([
    [2, 5 * MEBIBYTE],
    [7, 3],
  ]);
  const { Uploads } = await store.client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'par' }));
  expect(Uploads?.map(({ Key }) => Key)).toStrictEqual(['parts']);
  const chosen = [
    { PartNumber: 2, ETag: first.ETag },
    { PartNumber: 7, ETag: last.ETag },
  ];
  const done = await complete('parts', UploadId, chosen);
  // The completion is repeated, as after a lost response.
  expect((await complete('parts', UploadId, chosen)).ETag).toStrictEqual(done.ETag);
  const stored = await bodyOf(await store.client.send(new GetObjectCommand({ Bucket, Key: 'parts' })));
  expect(stored.toString()).toBe(`${'y'.repeat(5 * MEBIBYTE)}end`);
  expect(await readdir(join(store.directory, 'uploads', Bucket))).toStrictEqual([]);
});

test('a completion that names wrong, missing, small or unordered parts is refused and may be repeated', async () => {
  const UploadId = await create('picky');
  const small = await uploadPart('picky', UploadId, 1, Buffer.from('small'));
  const other = await uploadPart('picky', UploadId, 2, Buffer.from('other'));
  const one = { PartNumber: 1, ETag: small.ETag };
  const two = { PartNumber: 2, ETag: other.ETag };
  await expect(complete('picky', UploadId, [two, one])).rejects.toMatchObject({ name: 'InvalidPartOrder' });
  await expect(complete('picky', UploadId, [one, two])).rejects.toMatchObject({ name: 'EntityTooSmall' });
  await expect(complete('picky', UploadId, [{ ...one, ETag: other.ETag }])).rejects.toMatchObject({
    name: 'InvalidPart',
  });
  await expect(complete('picky', UploadId, [{ ...one, PartNumber: 3 }])).rejects.toMatchObject({ name: 'InvalidPart' });
  await expect(complete('other-key', UploadId, [one])).rejects.toMatchObject({ name: 'NoSuchUpload' });
  await complete('picky', UploadId, [one]);
});

test('aborting an upload deletes its parts', async () => {
  const UploadId = await create('aborted');
  await uploadPart('aborted', UploadId, 1, Buffer.from('x'));
  await store.client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'aborted', UploadId }));
  await expect(uploadPart('aborted', UploadId, 2, Buffer.from('x'))).rejects.toMatchObject({ name: 'NoSuchUpload' });
  await expect(store.client.send(new GetObjectCommand({ Bucket, Key: 'aborted' }))).rejects.toMatchObject({
    name: 'NoSuchKey',
  });
});

test('a listing of uploads continues after an upload that no longer exists', async () => {
  const ids: string[] = [];
  for (const Key of ['same', 'same', 'same', 'second']) ids.push(await create(Key));
  const list = (after: object): Promise<ListMultipartUploadsCommandOutput> =>
    store.client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 's', MaxUploads: 2, ...after }));
  const first = await list({});
  const expected = [
    ...ids
      .slice(0, 3)
      .sort()
      .map((id) => ['same', id]),
    ['second', ids[3]],
  ];
  const seen = [...(first.Uploads ?? [])];
  for (const { Key, UploadId } of seen) {
    await store.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  }
  const rest = await list({ KeyMarker: first.NextKeyMarker, UploadIdMarker: first.NextUploadIdMarker });
  expect([...seen, ...(rest.Uploads ?? [])].map(({ Key, UploadId }) => [Key, UploadId])).toStrictEqual(expected);
  expect(rest.IsTruncated).toBe(false);
});

test('a part can be copied from a range of an object', async () => {
  await store.client.send(new PutObjectCommand({ Bucket, Key: 'source', Body: '0123456789' }));
  const UploadId = await create('copied');
  const copy = {
    Bucket,
    Key: 'copied',
    UploadId,
    PartNumber: 1,
    CopySource: `${Bucket}/source`,
    CopySourceRange: 'bytes=2-4',
  };
  const { CopyPartResult } = await store.client.send(new UploadPartCopyCommand(copy));
  await complete('copied', UploadId, [{ PartNumber: 1, ETag: CopyPartResult?.ETag }]);
  const stored = await bodyOf(await store.client.send(new GetObjectCommand({ Bucket, Key: 'copied' })));
  expect(stored.toString()).toBe('234');
});

test('a start removes temporary files older than a day, uploads older than eight days, and nothing newer', async () => {
  const stale = [join(store.directory, 'tmp/old.tmp'), join(store.directory, 'uploads', Bucket, 'o'.repeat(32))];
  await writeFile(stale[0] ?? '', 'half an object');
  await mkdir(stale[1] ?? '', { recursive: true });
  const longAgo = new Date(Date.now() - 193 * 3600 * 1000);
  for (const path of stale) await utimes(path, longAgo, longAgo);
  await writeFile(join(store.directory, 'tmp/new.tmp'), 'being written');
  const UploadId = await create('young');
  const paused = new Date(Date.now() - 167 * 3600 * 1000);
  await utimes(join(store.directory, 'uploads', Bucket, UploadId), paused, paused);
  const again = await startObjectStore({ directory: store.directory, ...CREDENTIALS });
  await again.close();
  expect(await readdir(join(store.directory, 'tmp'))).toStrictEqual(['new.tmp']);
  expect(await readdir(join(store.directory, 'uploads', Bucket))).not.toContain('o'.repeat(32));
  await store.client.send(new ListPartsCommand({ Bucket, Key: 'young', UploadId }));
});

function* pieces(bytes: Buffer, pieceBytes: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
