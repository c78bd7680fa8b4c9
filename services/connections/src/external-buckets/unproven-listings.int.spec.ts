// Real: the SDKs of the three providers and their parsers, sockets on loopback. Faked: the store.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OutboundPolicy } from '@kiln/outbound';
import {
  azureShape as azure,
  googleShape as google,
  listingShapes,
  s3Shape as s3,
  startScriptedStore,
  type ListingShape,
  type ScriptedStore,
} from '../test/scripted-store.js';
import { BucketOpener } from './bucket-opener.service.js';
import type { BucketPage } from './external-bucket.port.js';

const XML = '<?xml version="1.0"?>';

for (const { provider, page, credentials, contentType } of listingShapes) {
  describe(`a listing of ${provider} without a proven end`, () => {
    let store: ScriptedStore;
    let opener: BucketOpener;
    beforeAll(async () => {
      store = await startScriptedStore();
      opener = new BucketOpener({
        policy: new OutboundPolicy({ allow: '127.0.0.1' }),
        gcsEndpoint: store.url,
        azureEndpoint: `${store.url}/{account}`,
        azureAuthority: 'https://login.microsoftonline.com',
      });
    });
    afterAll(() => store.close());

    async function list(text: string, type = contentType) {
      store.answer = (response) => void response.setHeader('content-type', type).end(text);
      const place = { provider, bucket: 'b', region: null };
      const bucket = await opener.open(place, credentials(store.url), { requestTimeoutMs: 60_000 });
      try {
        return await bucket.list({ prefix: '', limit: 10 });
      } finally {
        bucket.close();
      }
    }
    const refused = { name: 'BucketError', code: 'listing_incomplete', retryable: false };

    it('is rejected when it is empty, HTML, the answer of another service, or truncated', async () => {
      const cutOff = page({ objects: [{ key: 'a' }, { key: 'b' }] }).slice(0, -20);
      const others = listingShapes.filter((shape) => shape.provider !== provider).map((shape) => shape.page({}));
      const html = '<!DOCTYPE html><html><head><title>Sign in</title></head><body><p>Hello</p></body></html>';
      for (const text of ['', ' ', '{}', '[]', 'null', 'no listing <', `${XML}<Error/>`, html, ...others, cutOff]) {
        await expect(list(text)).rejects.toMatchObject(refused);
        await expect(list(text, 'text/html')).rejects.toMatchObject(refused);
      }
    });

    it('is rejected as a list of buckets too', async () => {
      for (const text of ['', '{}', '<html></html>']) {
        store.answer = (response) => void response.setHeader('content-type', contentType).end(text);
        const place = { provider, region: null };
        const buckets = opener.listBuckets(place, credentials(store.url), { requestTimeoutMs: 60_000 });
        await expect(buckets).rejects.toMatchObject(refused);
      }
    });

    it('is accepted when it says where it ends', async () => {
      expect(await list(page({}))).toStrictEqual({ objects: [], prefixes: [], next: null });
      const { objects, next } = await list(page({ objects: [{ key: 'a' }], next: 'more' }));
      expect([objects.map(({ key }) => key), next]).toStrictEqual([['a'], 'more']);
    });
  });
}

describe('a listing of one provider', () => {
  let store: ScriptedStore;
  beforeAll(async () => {
    store = await startScriptedStore();
  });
  afterAll(() => store.close());

  async function listed(shape: ListingShape, text: string): Promise<BucketPage> {
    store.answer = (response) => void response.setHeader('content-type', shape.contentType).end(text);
    const opener = new BucketOpener({
      policy: new OutboundPolicy({ allow: '127.0.0.1' }),
      gcsEndpoint: store.url,
      azureEndpoint: `${store.url}/{account}`,
      azureAuthority: 'https://login.microsoftonline.com',
    });
    const place = { provider: shape.provider, bucket: 'b', region: null };
    const bucket = await opener.open(place, shape.credentials(store.url), { requestTimeoutMs: 60_000 });
    return bucket.list({ prefix: '', limit: 10 }).finally(() => bucket.close());
  }
  const assertRefused = (shape: ListingShape, text: string, reason: RegExp) =>
    expect(listed(shape, text)).rejects.toMatchObject({
      code: 'listing_incomplete',
      message: expect.stringMatching(reason),
    });

  it('S3: needs IsTruncated, its token exactly when there is more, as many keys as it counts, and no version 1', async () => {
    const [whole, more] = [s3.page({ objects: [{ key: 'a' }] }), s3.page({ objects: [{ key: 'a' }], next: 't' })];
    const token = '<NextContinuationToken>t</NextContinuationToken>';
    await assertRefused(s3, whole.replace('<IsTruncated>false</IsTruncated>', ''), /IsTruncated/);
    await assertRefused(s3, whole.replace('>false<', '>perhaps<'), /IsTruncated/);
    await assertRefused(s3, more.replace(token, ''), /NextContinuationToken/);
    await assertRefused(s3, more.replace('>true<', '>false<'), /NextContinuationToken/);
    await assertRefused(s3, whole.replace('<KeyCount>1</KeyCount>', '<Marker/>'), /version 1/);
    await assertRefused(s3, whole.replace('<KeyCount>1<', '<KeyCount>2<'), /KeyCount/);
    const uncounted = await listed(s3, whole.replace('<KeyCount>1</KeyCount>', ''));
    // Older stores do not count.
    expect([uncounted.objects.length, uncounted.next]).toStrictEqual([1, null]);
  });

  it('Google: needs the kind of a listing, and items and tokens of the documented types', async () => {
    for (const answer of [
      { items: [] },
      { kind: 'storage#buckets' },
      { kind: 'storage#objects', items: {} },
      { kind: 'storage#objects', items: [{}] },
      { kind: 'storage#objects', nextPageToken: 1 },
      { kind: 'storage#objects', nextPageToken: '' },
    ]) {
      await assertRefused(google, JSON.stringify(answer), /listing/);
    }
  });

  it('Azure: needs its NextMarker, which is empty at the end', async () => {
    await assertRefused(azure, azure.page({}).replace('<NextMarker></NextMarker>', ''), /NextMarker/);
    await assertRefused(azure, azure.page({}).replace('<Blobs></Blobs>', ''), /cannot be parsed/);
  });
});
