// Real: the AWS SDK's own search for credentials. Written from its documentation: AWS STS. Faked: nothing.
import { OutboundPolicy } from '@kiln/outbound';
import { startSecurityTokenService } from '@kiln/storage/test-support';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { BucketOpener } from './bucket-opener.js';

const ROLE = 'arn:aws:iam::123456789012:role/theirs';
/** So that the SDK looks neither at this machine's files nor for one of Amazon's machines. */
const NOWHERE = {
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent/credentials',
  AWS_CONFIG_FILE: '/nonexistent/config',
};

describe('a role in an account of AWS', () => {
  // oxlint-disable-next-line node/no-process-env -- the SDK reads it, as it will in production
  const { env } = process;
  let changed: string[] = [];
  const set = (variables: Record<string, string>) => {
    Object.assign(env, variables);
    changed.push(...Object.keys(variables));
  };
  beforeEach(() => set(NOWHERE));
  afterEach(() => {
    for (const name of changed) delete env[name];
    changed = [];
  });

  const open = (opener: BucketOpener, externalId: string) =>
    opener.open(
      { provider: 's3', bucket: 'their-bucket', region: 'eu-central-1' },
      { kind: 'role', role_arn: ROLE, external_id: externalId },
      { requestTimeoutMs: 5_000 },
    );
  const openerWith = (allow: string) =>
    new BucketOpener({
      policy: new OutboundPolicy({ allow }),
      azureEndpoint: 'https://{account}.blob.core.windows.net',
      azureAuthority: 'https://login.microsoftonline.com',
    });

  it('is not assumed without an identity of the operator, and the owner of the bucket is told so', async () => {
    const bucket = await open(openerWith(''), 'org_1');
    await assert.rejects(bucket.list({ prefix: '', limit: 1 }), {
      code: 'not_configured',
      message: /operator .* no AWS credentials/,
    });
    bucket.close();
  });

  it('is assumed once for many requests, by the external id, and refused to another one', async () => {
    const sts = await startSecurityTokenService({
      trustedAccessKeyId: 'AKIAOPERATOR',
      roleArn: ROLE,
      externalId: 'org_1',
      accessKeyId: 'theirs',
      secretAccessKey: 'theirs',
    });
    set({ AWS_ACCESS_KEY_ID: 'AKIAOPERATOR', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL_STS: sts.url });
    const opener = openerWith('127.0.0.1');
    for (let count = 0; count < 3; count++) {
      const bucket = await open(opener, 'org_1');
      assert.match(
        await bucket.signedGet('key', { seconds: 60 }),
        /^https:\/\/their-bucket\.s3\.eu-central-1\.amazonaws\.com\/key\?.*session-token/,
      );
      bucket.close();
    }
    assert.equal(sts.assumedCount, 1);
    const other = await open(opener, 'org_2');
    await assert.rejects(other.signedGet('key', { seconds: 60 }), { code: 'access_denied', message: /sts:AssumeRole/ });
    other.close();
    sts.close();
  });
});
