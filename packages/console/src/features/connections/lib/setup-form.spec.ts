import { describe, expect, it } from '@jest/globals';
import { providerForms, readProvider } from './providers.js';
import { credentialsOf, emptyForm, fieldsOf, requestOf, withoutSecrets } from './setup-form.js';

const KEY = { access_key_id: 'AK', secret_access_key: 'a-secret' };

describe('the form of a connection', () => {
  it('becomes a request when nothing is missing, named like the bucket', () => {
    const form = { ...emptyForm('b2'), bucket: ' acme ', credentials: { kind: 'accessKey' as const, values: KEY } };
    expect(requestOf('b2', form, undefined)).toBeNull();
    expect(requestOf('b2', { ...form, region: 'eu-central-003' }, undefined)).toStrictEqual({
      provider: 'b2',
      name: 'acme',
      bucket: 'acme',
      region: 'eu-central-003',
      credentials: KEY,
    });
    expect(requestOf('b2', emptyForm('b2'), undefined)).toBeNull();
  });

  it('asks for an endpoint where the provider has none', () => {
    expect(fieldsOf('selfhost_s3', 'accessKey').map(({ name }) => name)).toStrictEqual([
      'endpoint',
      'access_key_id',
      'secret_access_key',
    ]);
    expect(credentialsOf('selfhost_s3', { kind: 'accessKey', values: KEY }, undefined)).toBeNull();
    const credentials = { kind: 'accessKey' as const, values: { ...KEY, endpoint: 'https://s3.example.com' } };
    const files = { space: 'legal', isKept: true };
    const form = { ...emptyForm('selfhost_s3'), bucket: 'acme', isUnsorted: true, files, credentials };
    expect(requestOf('selfhost_s3', form, undefined)).toMatchObject({
      listing_order: 'unsorted',
      space: 'legal',
      on_delete: 'keep',
    });
  });

  it('binds a role to the external id of the organization', () => {
    const values = { role_arn: 'arn:aws:iam::123456789012:role/kiln' };
    expect(credentialsOf('s3', { kind: 'role', values }, undefined)).toBeNull();
    expect(credentialsOf('s3', { kind: 'role', values }, 'org_1')).toStrictEqual({ ...values, external_id: 'org_1' });
  });

  it('sends the JSON key of a service account unchanged, and nothing else', () => {
    const of = (text: string) =>
      credentialsOf('gcs', { kind: 'serviceAccount', values: { key_file: text } }, undefined);
    expect(of('{"type":"service_account","x":1}')).toStrictEqual({ type: 'service_account', x: 1 });
    expect([of('[]'), of('null'), of('{')]).toStrictEqual([null, null, null]);
  });

  it('sends the configuration of an identity pool unchanged', () => {
    const configuration = '{"type":"external_account","audience":"//iam.googleapis.com/pool"}';
    const given = credentialsOf('gcs', { kind: 'workloadIdentity', values: { configuration } }, undefined);
    expect(given).toStrictEqual({ type: 'external_account', audience: '//iam.googleapis.com/pool' });
    expect(withoutSecrets({ credentials: given ?? {} }).credentials).toStrictEqual(given);
  });

  it('is copied without its secrets', () => {
    const request = { provider: 'b2', credentials: KEY };
    expect(withoutSecrets(request)).toStrictEqual({
      provider: 'b2',
      credentials: { access_key_id: 'AK', secret_access_key: '<secret_access_key>' },
    });
  });
});

it('an address names a known provider or none', () => {
  for (const provider of Object.keys(providerForms)) expect(readProvider({ provider })).toStrictEqual({ provider });
  expect([readProvider({ provider: 'toString' }), readProvider({})]).toStrictEqual([{}, {}]);
});
