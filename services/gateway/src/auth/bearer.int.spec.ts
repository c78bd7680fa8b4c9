// Real: two gateway processes, Postgres, NATS, Redis, object store, an HTTP server that publishes an issuer's keys. FAKES: the
// files service (a responder on the real bus).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, filesOperations } from '@kiln/contracts';
import { exportSPKI, type JWTPayload } from 'jose';
import { CheckedResponses } from '@kiln/openapi-check';
import { eventually } from '@kiln/testing';
import { GatewayPair } from '../test/gateway-pair.js';
import { GatewayProcess } from '../test/gateway-process.js';
import { AUDIENCE, ISSUER, sign, TokenIssuer, type SigningKey } from '../test/token-issuer.js';

const names = { KILN_JWT_ISSUER: ISSUER, KILN_JWT_AUDIENCE: AUDIENCE };

type BearerInit = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

describe('bearer tokens', () => {
  let issuer: TokenIssuer;
  let key: SigningKey;
  let pair: GatewayPair;
  let organizationId: string;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    key = await issuer.newKey('ES256', 'first');
    await issuer.publish(key);
    pair = await GatewayPair.start({ ...names, KILN_JWT_JWKS_URL: issuer.jwksUrl });
    organizationId = await pair.firstOrganizationId();
    await Promise.all(pair.gateways.map(hasKeys));
  });
  afterAll(async () => {
    await pair.stop();
    await issuer.stop();
  });

  const tokenWith = (claims: JWTPayload = {}) =>
    sign(key, { org_id: organizationId, sub: 'ann@example.com', ...claims });

  async function ask(gateway: GatewayProcess, token: string, path = '/v1/me', init: BearerInit = {}) {
    const headers = { ...init.headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await gateway.fetch(path, { ...init, headers });
    return { status: response.status, response, body: (await response.clone().json()) as Record<string, unknown> };
  }

  /** Resolves when the gateway has fetched the keys of the issuer, which may answer too late on a busy machine. */
  async function hasKeys(gateway: GatewayProcess): Promise<void> {
    const token = await tokenWith({ sub: 'first' });
    await eventually(async () => expect((await ask(gateway, token)).status).toBe(200));
  }

  it('stand for their organization, under the name of their subject, with the scopes of Kiln they hold', async () => {
    const responses = await CheckedResponses.of(pair.first.url);
    const token = await tokenWith({ scope: 'openid files:read profile keys:write files:read' });
    for (const gateway of pair.gateways) {
      const { response } = await ask(gateway, token);
      expect(await responses.check('GET', '/v1/me', response)).toStrictEqual({
        org_id: organizationId,
        auth_type: 'jwt',
        key_name: 'ann@example.com',
        scopes: ['files:read', 'keys:write'],
      });
    }
  });

  it('are held to their scopes like keys are, and have none unless they say so', async () => {
    const none = await tokenWith();
    expect((await ask(pair.first, none)).status).toBe(200);
    expect((await ask(pair.first, none, '/v1/files')).status).toBe(403);
    const maker = await tokenWith({ scope: 'keys:write files:read', mode: 'test' });
    const create = (body: object) =>
      ask(pair.first, maker, '/v1/org/api-keys', { method: 'POST', body: JSON.stringify({ name: 'a', ...body }) });
    expect((await create({ scopes: ['files:read'], mode: 'test' })).status).toBe(201);
    expect((await create({ scopes: ['files:write'], mode: 'test' })).status).toBe(403);
    expect((await create({ scopes: ['files:read'], mode: 'live' })).status).toBe(403);
  });

  it('get a secret again under an Idempotency-Key only with the scopes of the first request', async () => {
    const create = async (scope: string) => {
      const init = { method: 'POST', body: JSON.stringify({ name: 'a' }), headers: { 'idempotency-key': 'deploy' } };
      return ask(pair.first, await tokenWith({ scope }), '/v1/org/api-keys', init);
    };
    const { status, body } = await create('*');
    expect(status).toBe(201);
    const refused = await create('keys:write files:read');
    expect([refused.status, refused.body['key']]).toStrictEqual([409, undefined]);
    expect((await create('*')).body).toStrictEqual(body);
  });

  it('see the live tenant, or the test one when the mode says so, under a principal that hides the subject', async () => {
    pair.fakes.reset();
    for (const mode of [undefined, 'live', 'test']) {
      const { status } = await ask(pair.first, await tokenWith({ scope: 'files:read', mode }), '/v1/files');
      expect(status).toBe(200);
    }
    const calls = pair.fakes.callsOf(filesOperations.listFiles);
    const [row] = await pair.query('select live_tenant_id as live, test_tenant_id as test from organizations');
    const { live, test } = row as { live: string; test: string };
    expect(calls.map(({ context }) => context.tenantId)).toStrictEqual([live, live, test]);
    for (const { context } of calls) expect(context.principal).toMatch(/^jwt_[0-9a-f]{32}$/);
    expect(JSON.stringify(pair.first.logs)).not.toContain('ann@example.com');
  });

  const unknown = encodeId('organization', '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a99');
  it.each<[JWTPayload, RegExp]>([
    [{ org_id: unknown }, /organization that does not exist/],
    [{ org_id: undefined }, /org_id/],
    [{ org_id: '1' }, /org_id/],
    [{ sub: undefined }, /sub/],
    [{ sub: '' }, /sub/],
    [{ scope: ['*'] }, /scope/],
    [{ mode: 'prod' }, /mode/],
    [{ exp: 1 }, /expired/],
  ])('are 401 for an unknown organization, and if claims are missing or malformed: %p', async (claims, message) => {
    const { status, body } = await ask(pair.first, await tokenWith(claims));
    expect(status).toBe(401);
    expect(String(body['error'])).toMatch(message);
  });

  it('have one rate limit per subject', async () => {
    const remaining = async (sub: string) =>
      Number((await ask(pair.first, await tokenWith({ sub }))).response.headers.get('ratelimit-limit'));
    expect(await remaining('one')).toBe(100_000);
    const limited = await GatewayProcess.startLimited(pair.surroundings, {
      ...names,
      KILN_JWT_JWKS_URL: issuer.jwksUrl,
      KILN_RATE_LIMIT_BURST: '2',
      KILN_RATE_LIMIT_RPS: '0.01',
    });
    try {
      await hasKeys(limited);
      const statuses = [];
      for (const sub of ['a', 'a', 'a', 'b']) statuses.push((await ask(limited, await tokenWith({ sub }))).status);
      expect(statuses).toStrictEqual([200, 200, 429, 200]);
    } finally {
      await limited.stop();
    }
  });

  it('are 503 with Retry-After while the issuer cannot be asked, and keys still work', async () => {
    const gateway = await GatewayProcess.start(pair.surroundings, {
      ...names,
      KILN_JWT_JWKS_URL: 'http://127.0.0.1:1/jwks',
    });
    try {
      const { status, response, body } = await ask(gateway, await tokenWith());
      expect([status, body['code']]).toStrictEqual([503, 'UNAVAILABLE']);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect((await gateway.fetch('/v1/me')).status).toBe(200);
    } finally {
      await gateway.stop();
    }
  });

  it('may be checked by one public key instead, and are 401 everywhere when nothing is configured', async () => {
    const pem = await exportSPKI(key.publicKey);
    const [fixed, off] = await Promise.all([
      GatewayProcess.start(pair.surroundings, { ...names, KILN_JWT_PUBLIC_KEY: pem }),
      GatewayProcess.start(pair.surroundings),
    ]);
    try {
      expect((await ask(fixed, await tokenWith())).status).toBe(200);
      const other = await issuer.newKey('ES256', 'first');
      expect((await ask(fixed, await sign(other, { org_id: organizationId, sub: 'x' }))).status).toBe(401);
      expect((await ask(off, await tokenWith())).status).toBe(401);
    } finally {
      await Promise.all([fixed.stop(), off.stop()]);
    }
  });

  it('half configured, stop the boot with a message that says what is missing', async () => {
    const gateway = await GatewayProcess.spawn(pair.surroundings, { KILN_JWT_JWKS_URL: issuer.jwksUrl });
    expect(await gateway.ended()).toBe(1);
    expect(gateway.errors).toMatch(/KILN_JWT_ISSUER is required for bearer tokens/);
  });
});
