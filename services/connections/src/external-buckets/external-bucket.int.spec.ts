// Real: the embedded object store; Azurite, over https as well. Written from their documentation: Google Cloud Storage with its exchange
// of tokens, AWS STS and the token endpoint of Entra ID. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { text } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { checkBucketIn } from './bucket-check.service.js';
import type { BucketObject, ExternalBucket } from './external-bucket.port.js';
import {
  accessKeyStore,
  accountKeyStore,
  roleStore,
  serviceAccountStore,
  servicePrincipalStore,
  sharedAccessSignatureStore,
  workloadIdentityStore,
  type ForeignStore,
} from '../test/foreign-stores.js';

const ways = {
  'an access key': accessKeyStore,
  'an assumed role': roleStore,
  'a service account': serviceAccountStore,
  'workload identity federation': workloadIdentityStore,
  'an account key': accountKeyStore,
  'a service principal': servicePrincipalStore,
  'a shared access signature': sharedAccessSignatureStore,
};

const open = { requestTimeoutMs: 60_000 };

for (const [way, start] of Object.entries(ways)) {
  describe(`an external bucket, by ${way},`, () => {
    let store: ForeignStore;
    let bucket: ExternalBucket;
    beforeAll(async () => {
      store = await start();
      bucket = await store.opener.open({ ...store, region: null }, store.credentials, open);
    });
    afterAll(async () => {
      bucket.close();
      await store.close();
    });

    const call = (url: string, options: Parameters<typeof request>[1] = {}) =>
      request(url, {
        ...options,
        dispatcher: new Agent({ pipelining: 0, ...(store.ca && { connect: { ca: store.ca } }) }),
      });
    const keysOf = (objects: readonly BucketObject[]) => objects.map(({ key }) => key.slice(store.prefix.length));
    const EVERY_KEY = ['a.txt', 'b c+d.txt', 'folder/e.txt', 'folder/ü.txt', 'z.txt'];

    it('is listed page by page, every object once, in the order of its keys', async () => {
      const found: BucketObject[] = [];
      let cursor: string | undefined;
      do {
        const { objects, next } = await bucket.list({ prefix: store.prefix, cursor, limit: 2 });
        expect(objects.length).toBeLessThanOrEqual(2);
        found.push(...objects);
        cursor = next ?? undefined;
      } while (cursor !== undefined);
      expect(keysOf(found)).toStrictEqual(EVERY_KEY);
      const [first] = found;
      if (!first) throw new Error('no object was listed');
      expect(first.etag).toMatch(/^[^"]+$/);
      expect(first.sizeBytes).toBe('in a.txt'.length);
      expect(Math.abs(Date.now() - first.lastModified.getTime())).toBeLessThan(120_000);
    });

    it('is listed below a prefix', async () => {
      const below = await bucket.list({ prefix: `${store.prefix}folder/`, limit: 10 });
      expect(keysOf(below.objects)).toStrictEqual(['folder/e.txt', 'folder/ü.txt']);
    });

    it('returns the properties of an object as its listing does, with its type; null when it does not exist', async () => {
      const { objects } = await bucket.list({ prefix: store.prefix, limit: 1 });
      const head = await bucket.head(`${store.prefix}a.txt`);
      const [{ storageClass: _, ...listed } = {}] = objects as Partial<BucketObject>[];
      expect(head).toStrictEqual({ ...listed, contentType: 'text/plain' });
      expect(await bucket.head(`${store.prefix}missing`)).toBeNull();
    });

    it('is read as a stream; null when the object does not exist', async () => {
      const opened = await bucket.read(`${store.prefix}folder/ü.txt`);
      if (!opened) throw new Error('no opened');
      expect(await text(opened.body)).toBe('in folder/ü.txt');
      expect(opened.object.contentType).toBe('text/plain');
      expect(await bucket.read(`${store.prefix}missing`)).toBeNull();
    });

    it('gives a URL for requests of Kiln, and says whether it contains the credentials', async () => {
      const { url, holdsCredentials } = await bucket.ownUrl(`${store.prefix}b c+d.txt`);
      expect(holdsCredentials).toBe(way === 'a shared access signature');
      const { statusCode, body } = await call(url);
      expect([statusCode, await body.text()]).toStrictEqual([200, 'in b c+d.txt']);
    });

    if (way === 'a shared access signature') {
      it('gives no signed URLs, because a link would contain the signature', async () => {
        const key = `${store.prefix}a.txt`;
        const refusal = { code: 'refused', message: expect.stringMatching(/application/) };
        await expect(bucket.signedGet(key, { seconds: 60 })).rejects.toMatchObject(refusal);
        await expect(bucket.signedPut(key, { seconds: 60 })).rejects.toMatchObject(refusal);
      });
    } else {
      it('gives signed URLs: a plain GET downloads under a name, a plain PUT uploads', async () => {
        const { url } = await bucket.signedGet(`${store.prefix}b c+d.txt`, { seconds: 3_600, filename: 'b.txt' });
        const download = await call(url);
        expect(download.statusCode).toBe(200);
        expect(String(download.headers['content-disposition'])).toMatch(/attachment; filename="b\.txt"/);
        expect(await download.body.text()).toBe('in b c+d.txt');
        const key = `${store.prefix}~uploaded`;
        const upload = await bucket.signedPut(key, { seconds: 60, contentType: 'text/csv', sizeBytes: 3 });
        const put = await call(upload.url, { method: 'PUT', headers: upload.headers, body: 'a,b' });
        const answer = await put.body.text();
        if (put.statusCode !== 200 && put.statusCode !== 201) throw new Error(`${put.statusCode}: ${answer}`);
        const head = await bucket.head(key);
        expect([head?.sizeBytes, head?.contentType]).toStrictEqual([3, 'text/csv']);
      });
    }

    it('passes the check of a connection, with objects and without', async () => {
      for (const prefix of [store.prefix, `${store.prefix}folder/`, `${store.prefix}none/`]) {
        await checkBucketIn(bucket, { ...store, prefix, region: null });
      }
    });

    it('is among the buckets that the credentials can see', async () => {
      const found = await store.opener.listBuckets({ provider: store.provider, region: null }, store.credentials, open);
      expect(found.map(({ name }) => name)).toContain(store.bucket);
    });

    it('rejects wrong credentials with a reason that contains no secret', async () => {
      const wrong = await store.opener.open({ ...store, region: null }, store.wrongCredentials, open);
      const listed = wrong.list({ prefix: '', limit: 1 });
      await expect(listed).rejects.toMatchObject({ code: 'access_denied' });
      for (const [name, value] of Object.entries(store.wrongCredentials)) {
        if (!/secret|key|token/.test(name) || name === 'access_key_id') continue;
        await expect(listed).rejects.toMatchObject({ message: expect.not.stringContaining(String(value)) });
      }
      wrong.close();
    });

    it('reports that it does not exist', async () => {
      const place = { ...store, bucket: 'no-such-bucket-here', region: null };
      const missing = await store.opener.open(place, store.credentials, open);
      await expect(missing.list({ prefix: '', limit: 1 })).rejects.toMatchObject({
        code: 'bucket_not_found',
        message: expect.stringMatching(/no such bucket/),
      });
      missing.close();
    });
  });
}

it('a damaged key of a service account is reported as such', async () => {
  const store = await serviceAccountStore();
  const { credentials } = store;
  expect(credentials.kind).toBe('serviceAccount');
  const damaged = { ...credentials, private_key: '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n' };
  const bucket = await store.opener.open({ ...store, region: null }, damaged, open);
  await expect(bucket.list({ prefix: '', limit: 1 })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/private key/),
  });
  bucket.close();
  await store.close();
});
