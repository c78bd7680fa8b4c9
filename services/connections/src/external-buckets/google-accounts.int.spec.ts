// Real: the sign-in, at servers that are written from Google's documentation. Replaced: the clock of the cache.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startPooledBucket, type PooledBucket } from '../test/identity-pool.js';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { GoogleAccounts } from './google-accounts.service.js';

describe('the token of a service account', () => {
  const connect = { agents: { http: new HttpAgent(), https: new HttpsAgent() }, requestTimeoutMs: 30_000 };
  let pooled: PooledBucket;
  let passedMs = 0;
  let accounts: GoogleAccounts;
  const tokenFor = async (organizationId: string, secrets: string[] = []) => {
    const { value } = await accounts.of(pooled.sealedFor(organizationId), { ...connect, secrets }).token();
    return value;
  };
  beforeEach(async () => {
    pooled = await startPooledBucket('theirs', ['org_1', 'org_2']);
    passedMs = 0;
    accounts = new GoogleAccounts(pooled.issuer, pooled.options.googleSignIn, () => Date.now() + passedMs);
  });
  afterEach(() => pooled.close());

  it('is requested once, and again when less than ten minutes of its hour are left', async () => {
    const first = await tokenFor('org_1');
    passedMs = 49 * 60_000;
    expect(await tokenFor('org_1')).toBe(first);
    expect(pooled.identity.calls).toMatchObject({ token: 1, generateAccessToken: 1 });
    passedMs = 51 * 60_000;
    expect(await tokenFor('org_1')).not.toBe(first);
    expect(pooled.identity.calls).toMatchObject({ token: 2, generateAccessToken: 2 });
  });

  it('is never used for another organization', async () => {
    expect(await tokenFor('org_2')).not.toBe(await tokenFor('org_1'));
    await expect(tokenFor('org_3')).rejects.toMatchObject({ code: 'access_denied' });
    expect(pooled.identity.calls.token).toBe(3);
  });

  it('is among the secrets that errors must not contain, also when it comes from the cache', async () => {
    const token = await tokenFor('org_1');
    const secrets: string[] = [];
    await tokenFor('org_1', secrets);
    expect(secrets).toStrictEqual([token]);
  });

  it('is not requested when the operator has removed the issuer, and the error says so', () => {
    const without = new GoogleAccounts(null, pooled.options.googleSignIn);
    expect(() => without.of(pooled.sealedFor('org_1'), { ...connect, secrets: [] })).toThrow(
      expect.objectContaining({ code: 'not_configured', message: expect.stringMatching(/no OpenID Connect issuer/) }),
    );
  });
});
