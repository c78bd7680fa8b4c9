// Real: the embedded object store; Azurite, over https as well. Written from their documentation: Google Cloud Storage, AWS STS and
// the token endpoint of Entra ID. Faked: nothing.
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { Agent, request } from 'undici';
import type { BucketObject, OthersBucket } from '../domain/bucket.port.js';
import {
  accessKeyStore,
  accountKeyStore,
  roleStore,
  serviceAccountStore,
  servicePrincipalStore,
  type ForeignStore,
} from '../test/foreign-stores.js';

const ways = {
  'an access key': accessKeyStore,
  'an assumed role': roleStore,
  'a service account': serviceAccountStore,
  'an account key': accountKeyStore,
  'a service principal': servicePrincipalStore,
};

const open = { requestTimeoutMs: 10_000 };

for (const [way, start] of Object.entries(ways)) {
  describe(`somebody else's bucket, by ${way},`, () => {
    let store: ForeignStore;
    let bucket: OthersBucket;
    before(async () => {
      store = await start();
      bucket = await store.opener.open({ ...store, region: null }, store.credentials, open);
    });
    after(async () => {
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
        assert.ok(objects.length <= 2);
        found.push(...objects);
        cursor = next ?? undefined;
      } while (cursor !== undefined);
      assert.deepEqual(keysOf(found), EVERY_KEY);
      const [first] = found;
      assert.ok(first && first.etag.length > 0 && !first.etag.includes('"'));
      assert.equal(first.sizeBytes, 'in a.txt'.length);
      assert.ok(Math.abs(Date.now() - first.lastModified.getTime()) < 120_000);
    });

    it('is listed below a prefix', async () => {
      const below = await bucket.list({ prefix: `${store.prefix}folder/`, limit: 10 });
      assert.deepEqual(keysOf(below.objects), ['folder/e.txt', 'folder/ü.txt']);
    });

    it('tells of an object as its listing does, with its type; and null of one that is not there', async () => {
      const { objects } = await bucket.list({ prefix: store.prefix, limit: 1 });
      const head = await bucket.head(`${store.prefix}a.txt`);
      assert.deepEqual(head, { ...objects[0], contentType: 'text/plain' });
      assert.equal(await bucket.head(`${store.prefix}missing`), null);
    });

    it('is read as a stream; null for what is not there', async () => {
      const opened = await bucket.read(`${store.prefix}folder/ü.txt`);
      assert.ok(opened);
      assert.equal(await text(opened.body), 'in folder/ü.txt');
      assert.equal(opened.object.contentType, 'text/plain');
      assert.equal(await bucket.read(`${store.prefix}missing`), null);
    });

    it('is signed for: a plain GET downloads under a name, a plain PUT uploads', async () => {
      const url = await bucket.signedGet(`${store.prefix}b c+d.txt`, { seconds: 3_600, filename: 'b.txt' });
      const download = await call(url);
      assert.equal(download.statusCode, 200);
      assert.match(String(download.headers['content-disposition']), /attachment; filename="b\.txt"/);
      assert.equal(await download.body.text(), 'in b c+d.txt');
      const key = `${store.prefix}~uploaded`;
      const upload = await bucket.signedPut(key, { seconds: 60, contentType: 'text/csv', sizeBytes: 3 });
      const put = await call(upload.url, { method: 'PUT', headers: upload.headers, body: 'a,b' });
      assert.ok([200, 201].includes(put.statusCode), await put.body.text());
      const head = await bucket.head(key);
      assert.deepEqual([head?.sizeBytes, head?.contentType], [3, 'text/csv']);
    });

    it('is among the buckets that the credentials see', async () => {
      const found = await store.opener.listBuckets({ provider: store.provider, region: null }, store.credentials, open);
      assert.ok(found.some(({ name }) => name === store.bucket));
    });

    it('refuses wrong credentials with a reason in which no secret stands', async () => {
      const wrong = await store.opener.open({ ...store, region: null }, store.wrongCredentials, open);
      await assert.rejects(wrong.list({ prefix: '', limit: 1 }), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'access_denied', error.message);
        for (const [name, value] of Object.entries(store.wrongCredentials)) {
          if (/secret|key/.test(name) && name !== 'access_key_id')
            assert.ok(!error.message.includes(String(value)), name);
        }
        return true;
      });
      wrong.close();
    });

    it('says so when it does not exist', async () => {
      const place = { ...store, bucket: 'no-such-bucket-here', region: null };
      const missing = await store.opener.open(place, store.credentials, open);
      await assert.rejects(missing.list({ prefix: '', limit: 1 }), {
        code: 'bucket_not_found',
        message: /no such bucket/,
      });
      missing.close();
    });
  });
}

it("a service account's key that is damaged is told as such", async () => {
  const store = await serviceAccountStore();
  const { credentials } = store;
  assert.equal(credentials.kind, 'serviceAccount');
  const damaged = { ...credentials, private_key: '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n' };
  const bucket = await store.opener.open({ ...store, region: null }, damaged, open);
  await assert.rejects(bucket.list({ prefix: '', limit: 1 }), { code: 'refused', message: /private key/ });
  bucket.close();
  await store.close();
});
