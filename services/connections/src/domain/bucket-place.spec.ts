import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpointOf, s3PlaceOf } from './bucket-place.js';

describe('a bucket of the S3 family lies', () => {
  it('at AWS in the region that is named, or in one that AWS knows', () => {
    assert.deepEqual(s3PlaceOf({ provider: 's3', region: 'eu-central-1' }), {
      region: 'eu-central-1',
      forcePathStyle: false,
    });
    assert.deepEqual(s3PlaceOf({ provider: 's3', region: null }), { forcePathStyle: false });
  });

  it('where the region of its vendor says', () => {
    const endpointAt = (provider: 'b2' | 'spaces_store' | 'hot_store', region: string) =>
      s3PlaceOf({ provider, region }).endpoint;
    assert.equal(endpointAt('b2', 'eu-central-003'), 'https://s3.eu-central-003.backblazeb2.com');
    assert.equal(endpointAt('spaces_store', 'fra1'), 'https://fra1.digitaloceanspaces.com');
    assert.equal(endpointAt('hot_store', 'eu-central-1'), 'https://s3.eu-central-1.wasabisys.com');
  });

  it('at the endpoint that its owner names, in path style, whatever the vendor', () => {
    const endpoint = 'https://store.example.com/s3/';
    assert.deepEqual(s3PlaceOf({ provider: 'hot_store', region: 'eu-central-1' }, endpoint), {
      endpoint: 'https://store.example.com/s3',
      region: 'eu-central-1',
      forcePathStyle: true,
    });
    assert.equal(s3PlaceOf({ provider: 'selfhost_s3', region: null }, endpoint).region, 'us-east-1');
    assert.equal(s3PlaceOf({ provider: 'r2', region: null }, endpoint).region, 'auto');
  });
});

it('only access keys name an endpoint', () => {
  const keys = { kind: 'accessKey', access_key_id: 'a', secret_access_key: 'b' } as const;
  assert.equal(endpointOf(keys), null);
  assert.equal(endpointOf({ ...keys, endpoint: 'https://a.example' }), 'https://a.example');
  assert.equal(endpointOf({ kind: 'role', role_arn: 'a', external_id: 'b' }), null);
});
