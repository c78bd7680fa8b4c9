import { describe, expect, it } from '@jest/globals';
import { accessTexts, type AccessOptions } from './access-texts.js';
import { providerForms, type Provider } from './providers.js';

const options: AccessOptions = {
  provider: 's3',
  kind: 'role',
  bucket: 'acme',
  prefix: 'contracts/',
  endpoint: '',
  account: '',
  mayUpload: false,
  roleArn: 'arn:aws:iam::1:role/kiln',
  externalId: 'org_1',
};
const textOf = (title: string, change: Partial<AccessOptions> = {}) =>
  accessTexts({ ...options, ...change }).find((one) => one.title === title)?.text ?? '';

describe('the texts that give access to a bucket', () => {
  it('let a role be assumed by Kiln for this organization only', () => {
    expect(JSON.parse(textOf('Trust policy'))).toMatchObject({
      Statement: [
        {
          Principal: { AWS: 'arn:aws:iam::1:role/kiln' },
          Condition: { StringEquals: { 'sts:ExternalId': 'org_1' } },
        },
      ],
    });
    expect(textOf('Trust policy', { kind: 'accessKey' })).toBe('');
  });

  it('permit what Kiln does in the bucket, below the prefix, and no more', () => {
    expect(JSON.parse(textOf('Policy'))).toStrictEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: 's3:ListBucket',
          Resource: 'arn:aws:s3:::acme',
          Condition: { StringLike: { 's3:prefix': 'contracts/*' } },
        },
        { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::acme/contracts/*' },
      ],
    });
    expect(textOf('Policy', { mayUpload: true })).toContain('s3:PutObject');
    expect(textOf('Policy', { prefix: '' })).not.toContain('Condition');
  });

  it('have placeholders for what is not known yet', () => {
    expect(textOf('Commands', { provider: 'gcs', kind: 'serviceAccount', bucket: '' })).toContain('gs://<bucket>');
  });

  it('are for each provider those that it understands', () => {
    const titlesOf = (provider: Provider) =>
      accessTexts({ ...options, provider, kind: providerForms[provider].kinds[0] }).map(({ title }) => title);
    const titles = Object.keys(providerForms).map((id) => [id, titlesOf(id as Provider)]);
    expect(Object.fromEntries(titles)).toStrictEqual({
      s3: ['Trust policy', 'Policy', 'CORS rules'],
      gcs: ['Commands', 'CORS commands'],
      container_blob: ['Commands', 'CORS command'],
      r2: ['CORS rules'],
      selfhost_s3: ['Policy'],
      b2: ['Command', 'CORS command'],
      spaces_store: ['CORS command'],
      hot_store: ['Policy'],
      backend_storage: [],
    });
  });
});
