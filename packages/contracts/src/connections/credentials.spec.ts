import { describe, expect, it } from '@jest/globals';
import { parseInput } from '../core/validation.js';
import { parseCredentials } from './credentials.js';
import { storageProviderIds, storageProviderOf, type StorageProviderId } from './providers.js';
import { newConnectionSchema, verifyConnectionSchema } from './schemas.js';

const keys = { access_key_id: 'id', secret_access_key: 'secret' };
const role = { role_arn: 'arn:aws:iam::123456789012:role/kiln', external_id: 'org_1' };
const serviceAccount = {
  type: 'service_account',
  client_email: 'kiln@project.iam.gserviceaccount.com',
  private_key: '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n',
};
const federated = {
  type: 'external_account',
  audience:
    '//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/kiln-pool/providers/kiln',
  service_account_impersonation_url:
    'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/kiln@project.iam.gserviceaccount.com:generateAccessToken',
};
const principal = { tenant_id: 'contoso.com', client_id: 'a-b-c', client_secret: 's', account_name: 'account' };

const given = (provider: StorageProviderId, credentials: object, more: object = {}) => ({
  provider,
  name: 'Theirs',
  bucket: 'their-bucket',
  credentials,
  ...more,
});
const accept = (...input: Parameters<typeof given>) => parseInput(verifyConnectionSchema, given(...input));
const refuse = (message: RegExp, ...input: Parameters<typeof given>) =>
  expect(() => accept(...input)).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(message) }),
  );

describe('credentials', () => {
  it('are those of the provider', () => {
    accept('s3', keys);
    accept('s3', role);
    accept('gcs', serviceAccount);
    accept('gcs', federated);
    accept('container_blob', principal);
    accept('container_blob', { account_name: 'account', account_key: 'a2V5' });
    refuse(/credentials\.access_key_id .*credentials\.secret_access_key /, 's3', serviceAccount);
    refuse(/credentials\.client_email .*credentials\.private_key /, 'gcs', { type: 'service_account' });
    refuse(/credentials\.type must be "service_account"/, 'gcs', { ...serviceAccount, type: 'authorized_user' });
    refuse(/credentials\.external_id /, 's3', { role_arn: role.role_arn });
    refuse(/credentials\.role_arn must be the ARN/, 's3', { ...role, role_arn: 'kiln' });
    refuse(/credentials\.account_key /, 'container_blob', { account_name: 'account', account_key: '!' });
  });

  it('may be a shared access signature that reads and lists a container or an account', () => {
    const by = (sas_token: string) => ({ account_name: 'account', sas_token });
    for (const token of [
      'sp=rl&sr=c&sig=s',
      '?sp=racwdl&sr=c&sig=s',
      'sr=c&si=policy&sig=s',
      'ss=bq&srt=sco&sp=rl&sig=s',
    ])
      accept('container_blob', by(token));
    for (const token of ['sp=r&sr=c&sig=s', 'sp=rl&sr=b&sig=s', 'sp=rl&sr=c', 'ss=q&srt=sco&sp=rl&sig=s', 'a key', ''])
      refuse(/credentials\.sas_token /, 'container_blob', by(token));
    expect(parseCredentials('container_blob', by('?sp=rl&sr=c&sig=s'))).toStrictEqual({
      kind: 'sharedAccessSignature',
      ...by('sp=rl&sr=c&sig=s'),
    });
  });

  it('name an endpoint wherever none follows from the provider and the region', () => {
    const endpoint = 'https://store.example.com';
    for (const provider of storageProviderIds.filter((id) => storageProviderOf(id).authTypes[0] === 'access_key')) {
      accept(provider, { ...keys, endpoint });
      refuse(/credentials\.endpoint is required for /, provider, keys);
      if (storageProviderOf(provider).endpoint) accept(provider, keys, { region: 'eu-central-1' });
      else refuse(/credentials\.endpoint is required for /, provider, keys, { region: 'eu-central-1' });
    }
  });

  it('lead nowhere but to a base URL or a host of the vendor', () => {
    for (const endpoint of ['ftp://a', 'https://u:p@a', 'https://a/?b', 'https://a/#b', 'a.example', 7]) {
      refuse(/credentials\.endpoint /, 'selfhost_s3', { ...keys, endpoint });
    }
    for (const region of ['evil.example/', 'a.b', '-a', 'A', '']) refuse(/region /, 'b2', keys, { region });
    for (const account_name of ['evil.example', 'a/b', 'ACCOUNT']) {
      refuse(/credentials\.account_name /, 'container_blob', { ...principal, account_name });
    }
    for (const bucket of ['a/b', '../b', 'a?b', '', '.', 'a b']) refuse(/^bucket /, 's3', keys, { bucket });
  });

  it('travel in one line, so that no header can be smuggled in', () => {
    refuse(/credentials\.access_key_id /, 's3', { ...keys, access_key_id: 'a\r\nX: b' });
    refuse(/credentials\.session_token /, 's3', { ...keys, session_token: 'a b' });
  });

  it('keep what their kind knows, and nothing else', () => {
    expect(
      parseCredentials('gcs', { ...serviceAccount, token_uri: 'https://evil.example', universe_domain: 'x' }),
    ).toStrictEqual({
      kind: 'serviceAccount',
      ...serviceAccount,
    });
  });

  it('of an identity pool lead to hosts of Google only, and keep no file, program or URL to read', () => {
    const sources = {
      universe_domain: 'evil.example',
      token_url: 'https://evil.example/v1/token',
      credential_source: { file: '/etc/passwd', url: 'http://169.254.169.254/', executable: { command: 'id' } },
      subject: 'org_others',
    };
    expect(parseCredentials('gcs', { ...federated, ...sources })).toStrictEqual({
      kind: 'workloadIdentity',
      ...federated,
    });
    const { audience, service_account_impersonation_url: url } = federated;
    for (const wrong of [`https:${audience}`, audience.replace('iam.', 'evil.'), `${audience}/..`, `${audience}\n`]) {
      refuse(/credentials\.audience must be the name of a provider/, 'gcs', { ...federated, audience: wrong });
    }
    for (const wrong of [
      url.replace('iamcredentials.', 'evil.'),
      url.replace('https', 'http'),
      url.replace('kiln@', '..%2fother/'),
      url.replace('generateAccessToken', 'signJwt'),
      `${url}?x`,
    ]) {
      refuse(/credentials\.service_account_impersonation_url must name a service account/, 'gcs', {
        ...federated,
        service_account_impersonation_url: wrong,
      });
    }
    refuse(/credentials\.service_account_impersonation_url is required/, 'gcs', {
      ...sources,
      ...federated,
      service_account_impersonation_url: undefined,
    });
  });

  it('may be left out when nothing is tried', () => {
    const { credentials: _credentials, ...place } = given('selfhost_s3', {});
    parseInput(newConnectionSchema, place);
    parseInput(newConnectionSchema, { ...place, credentials: null });
    expect(() => parseInput(verifyConnectionSchema, place)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/credentials must be an object/) }),
    );
  });

  it('never stand in the message that refuses them', () => {
    expect(() => accept('s3', { access_key_id: 'hunter two', secret_access_key: 'hunter two' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter') }),
    );
  });
});
