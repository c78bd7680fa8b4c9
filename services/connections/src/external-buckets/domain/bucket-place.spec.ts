import { describe, expect, it } from '@jest/globals';
import { endpointOf, s3PlaceOf } from './bucket-place.js';

describe('a bucket of the S3 family lies', () => {
  it('at AWS in the given region, or in the region that AWS knows', () => {
    expect(s3PlaceOf({ provider: 's3', region: 'eu-central-1' })).toStrictEqual({
      region: 'eu-central-1',
      forcePathStyle: false,
    });
    expect(s3PlaceOf({ provider: 's3', region: null })).toStrictEqual({ forcePathStyle: false });
  });

  it('at the endpoint of the vendor for the region', () => {
    const endpointAt = (provider: 'b2' | 'spaces_store' | 'hot_store', region: string) =>
      s3PlaceOf({ provider, region }).endpoint;
    expect(endpointAt('b2', 'eu-central-003')).toBe('https://s3.eu-central-003.backblazeb2.com');
    expect(endpointAt('spaces_store', 'fra1')).toBe('https://fra1.digitaloceanspaces.com');
    expect(endpointAt('hot_store', 'eu-central-1')).toBe('https://s3.eu-central-1.wasabisys.com');
  });

  it('at the endpoint that its owner gives, in path style, for every vendor', () => {
    const endpoint = 'https://store.example.com/s3/';
    expect(s3PlaceOf({ provider: 'hot_store', region: 'eu-central-1' }, endpoint)).toStrictEqual({
      endpoint: 'https://store.example.com/s3',
      region: 'eu-central-1',
      forcePathStyle: true,
    });
    expect(s3PlaceOf({ provider: 'selfhost_s3', region: null }, endpoint).region).toBe('us-east-1');
    expect(s3PlaceOf({ provider: 'r2', region: null }, endpoint).region).toBe('auto');
  });

  it.each([
    ['b2', 'https://s3.eu-central-003.backblazeb2.com', 'eu-central-003'],
    ['spaces_store', 'https://fra1.digitaloceanspaces.com/', 'fra1'],
    ['hot_store', 'https://s3.eu-central-1.wasabisys.com', 'eu-central-1'],
    ['selfhost_s3', 'https://s3.eu-west-3.amazonaws.com', 'eu-west-3'],
    ['hot_store', 'https://s3.wasabisys.com', 'us-east-1'],
    ['b2', 'https://s3.eu-central-003.backblazeb2.com.example.org', 'us-east-1'],
    ['selfhost_s3', 'https://s3.amazonaws.com', 'us-east-1'],
  ] as const)('of %s at %s in the region of the endpoint, else in the usual one: %s', (provider, endpoint, region) => {
    expect(s3PlaceOf({ provider, region: null }, endpoint).region).toBe(region);
  });
});

it('only access keys have an endpoint', () => {
  const keys = { kind: 'accessKey', access_key_id: 'a', secret_access_key: 'b' } as const;
  expect(endpointOf(keys)).toBeNull();
  expect(endpointOf({ ...keys, endpoint: 'https://a.example' })).toBe('https://a.example');
  expect(endpointOf({ kind: 'role', role_arn: 'a', external_id: 'b' })).toBeNull();
});
