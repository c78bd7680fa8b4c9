// Real: the AWS SDK's own search for credentials. Written from its documentation: AWS STS. Faked: nothing.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutboundPolicy } from '@kiln/outbound';
import { startSecurityTokenService } from '@kiln/storage/test-support';
import { BucketOpener } from './bucket-opener.service.js';

const ROLE = 'arn:aws:iam::123456789012:role/theirs';
/** Keeps the SDK from reading the files of this machine and from calling the metadata service of EC2. */
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
      { requestTimeoutMs: 60_000 },
    );
  const openerWith = (allow: string) =>
    new BucketOpener({
      policy: new OutboundPolicy({ allow }),
      azureEndpoint: 'https://{account}.blob.core.windows.net',
      azureAuthority: 'https://login.microsoftonline.com',
    });

  it('is not assumed without AWS credentials of the operator, and the error says so', async () => {
    const bucket = await open(openerWith(''), 'org_1');
    await expect(bucket.list({ prefix: '', limit: 1 })).rejects.toMatchObject({
      code: 'not_configured',
      message: expect.stringMatching(/operator .* no AWS credentials/),
    });
    bucket.close();
  });

  it('is assumed once for many requests, with the external id, and refused with another one', async () => {
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
      expect((await bucket.signedGet('key', { seconds: 60 })).url).toMatch(
        /^https:\/\/their-bucket\.s3\.eu-central-1\.amazonaws\.com\/key\?.*session-token/,
      );
      bucket.close();
    }
    expect(sts.assumedCount).toBe(1);
    const other = await open(opener, 'org_2');
    await expect(other.signedGet('key', { seconds: 60 })).rejects.toMatchObject({
      code: 'access_denied',
      message: expect.stringMatching(/sts:AssumeRole/),
    });
    other.close();
    sts.close();
  });

  it('signs URLs that say when its keys expire, not later', async () => {
    const sts = await startSecurityTokenService({
      trustedAccessKeyId: 'AKIAOPERATOR',
      roleArn: ROLE,
      externalId: 'org_1',
      accessKeyId: 'theirs',
      secretAccessKey: 'theirs',
      sessionSeconds: 900,
    });
    set({ AWS_ACCESS_KEY_ID: 'AKIAOPERATOR', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL_STS: sts.url });
    const bucket = await open(openerWith('127.0.0.1'), 'org_1');
    for (const signed of [
      await bucket.signedGet('key', { seconds: 3_600 }),
      await bucket.signedPut('key', { seconds: 3_600 }),
    ]) {
      expect(signed.expiresInSeconds).toBeLessThanOrEqual(900);
      expect(new URL(signed.url).searchParams.get('X-Amz-Expires')).toBe(String(signed.expiresInSeconds));
    }
    expect((await bucket.signedGet('key', { seconds: 60 })).expiresInSeconds).toBe(60);
    bucket.close();
    sts.close();
  });
});
