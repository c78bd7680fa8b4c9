// Real: the command, two gateway processes, Postgres, NATS, Redis, object store.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from 'redis';
import { GatewayPair } from '../test/gateway-pair.js';
import { GatewayProcess } from '../test/gateway-process.js';
import { ATTEMPTS } from './sign-in.handler.js';
import { SignInCodeStore } from './sign-in-code.store.js';

const COMMAND = fileURLToPath(new URL('../cli/sign-in.command.js', import.meta.url));

interface SignedIn {
  id: string;
  key: string;
  org_id: string;
  expires_at: string;
}

describe('a sign-in code', () => {
  let pair: GatewayPair;
  beforeAll(async () => {
    pair = await GatewayPair.start();
  });
  afterAll(() => pair.stop());

  async function createLink(...words: string[]): Promise<string> {
    const env = { DATABASE_URL: pair.surroundings.database.url };
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, 'create', ...words], { env });
    return stdout.trim();
  }

  const exchange = (code: string, gateway: GatewayProcess = pair.first) =>
    gateway.fetch('/v1/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });

  // All gateways count the attempts of an address together.
  beforeEach(async () => {
    const redis = createClient({ url: pair.surroundings.infrastructure.redisUrl });
    await redis.connect();
    const keys = await redis.keys(`${pair.surroundings.namespace}:{sign_in:*`);
    if (keys.length > 0) await redis.del(keys);
    redis.destroy();
  });

  it('becomes a live key of the organization with all scopes, for 12 hours', async () => {
    const organizationId = await pair.firstOrganizationId();
    const code = await createLink();
    const before = Date.now();
    const response = await exchange(code);
    const after = Date.now();
    expect([response.status, response.headers.get('cache-control')]).toStrictEqual([201, 'no-store']);
    const { id, key, org_id, expires_at } = (await response.json()) as SignedIn;
    expect([key.startsWith('kiln_live_'), org_id]).toStrictEqual([true, organizationId]);
    const hoursAfter = (time: number) => (Date.parse(`${expires_at.replace(' ', 'T')}Z`) - time) / 3_600_000;
    expect(hoursAfter(before)).toBeGreaterThan(11.99);
    expect(hoursAfter(after)).toBeLessThan(12.01);
    const headers = { authorization: `ApiKey ${key}` };
    const me = await pair.second.fetch('/v1/me', { headers });
    expect(await me.json()).toMatchObject({ org_id: organizationId, key_name: 'Console', scopes: ['*'] });
    const revoked = await pair.first.fetch(`/v1/org/api-keys/${id}`, { method: 'DELETE', headers });
    expect([revoked.status, (await pair.second.fetch('/v1/me', { headers })).status]).toStrictEqual([200, 401]);
  });

  it('works once, also when two gateways get it at the same time', async () => {
    const code = await createLink();
    const answers = await Promise.all(pair.gateways.map((gateway) => exchange(code, gateway)));
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([201, 401]));
    const again = await exchange(code);
    expect(again.status).toBe(401);
    expect(await again.json()).toMatchObject({
      code: 'UNAUTHORIZED',
      error: expect.stringMatching(/works once.*sign-in create/),
    });
  });

  it('is refused when it has expired, is unknown or malformed', async () => {
    const code = await createLink();
    await pair.query(`update sign_in_codes set expires_at = now() - interval '1 second'`);
    const statuses = [];
    for (const wrong of [code, 'x'.repeat(43), '', 'a b']) statuses.push((await exchange(wrong)).status);
    expect(statuses).toStrictEqual([401, 401, 401, 401]);
    await createLink();
    await pair.query(`update sign_in_codes set expires_at = now() - interval '1 second'`);
    await new SignInCodeStore(pair.database).deleteExpired();
    expect(await pair.query('select 1 from sign_in_codes')).toStrictEqual([]);
  });

  it('is stored as its hash only, and belongs to the named organization', async () => {
    const organization = await pair.organizations.create('Second', 'free');
    const link = await createLink('--org', organization.id, '--url', 'https://kiln.example.com');
    const [, code = ''] = link.split('#code=');
    expect(link).toBe(`https://kiln.example.com/console/#code=${code}`);
    const rows = await pair.query('select hash, organization_id from sign_in_codes');
    expect(JSON.stringify(rows)).not.toMatch(code);
    expect(((await (await exchange(code)).json()) as SignedIn).org_id).toBe(organization.id);
    await expect(createLink('--org', 'org_01kxr1w4v0fpdsg1r90k5c8t2a')).rejects.toThrow(/there is no organization/);
  });

  it('cannot be guessed at will: an address has few attempts', async () => {
    const limited = await GatewayProcess.startLimited(pair.surroundings, {});
    let refused = await exchange('x'.repeat(43), limited);
    let attempts = 1;
    for (; refused.status === 401 && attempts < 200; attempts += 1) refused = await exchange('x'.repeat(43), limited);
    expect([refused.status, attempts > ATTEMPTS.burst]).toStrictEqual([429, true]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    await limited.stop();
  });
});
