// Real: two gateway processes, Postgres, NATS, Redis, object store. FAKES: the files and search services (responders on the
// real bus, see test/fake-services.ts). Every answer is checked against /openapi.json.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { filesOperations, formatTimestamp, searchOperations } from '@kiln/contracts';
import { CheckedResponses } from '@kiln/openapi-check';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { GatewayPair } from '../test/gateway-pair.js';
import { TEST_KEY } from '../test/gateway-process.js';
import { newPortalToken } from './portal-token.domain.js';
import { PortalTokenStore } from './portal-token.store.js';

const TOKENS = '/v1/portal/tokens';
const INVALID = { valid: false, space: null, expires_at: null };

describe('portal tokens', () => {
  let pair: GatewayPair;
  let responses: CheckedResponses;

  beforeAll(async () => {
    pair = await GatewayPair.start();
    responses = await CheckedResponses.of(pair.first.url);
  });
  beforeEach(() => pair.fakes.reset());
  afterAll(() => pair.stop());

  /** `as` is the Authorization header; null sends none. */
  async function ask(method: string, path: string, as: string | null = `ApiKey ${TEST_KEY}`, body?: unknown) {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (as !== null) headers['authorization'] = as;
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${pair.first.url}${path}`, init);
    return { status: response.status, headers: response.headers, body: await responses.check(method, path, response) };
  }

  async function newToken(space = 'customer-42', ttl?: number): Promise<string> {
    const { status, body } = await ask('POST', TOKENS, undefined, { space, ttl });
    expect(status).toBe(201);
    return String(body['token']);
  }

  /** Reads every page of the list. */
  async function listed(limit = 50, as?: string): Promise<Record<string, unknown>[]> {
    const tokens: Record<string, unknown>[] = [];
    let cursor = '';
    for (;;) {
      const { status, body } = await ask('GET', `${TOKENS}?limit=${limit}${cursor}`, as);
      expect(status).toBe(200);
      tokens.push(...(body['tokens'] as Record<string, unknown>[]));
      const next = body['next_cursor'] as string | null;
      if (next === null) return tokens;
      cursor = `&cursor=${next}`;
    }
  }

  const verified = async (token: string) => (await ask('GET', `${TOKENS}/${token}/verify`, null)).body;
  const expire = () => pair.query("update portal_tokens set expires_at = now() - interval '1 second'");

  it('are created for one space and by default for an hour, and can be verified without credentials', async () => {
    const before = Date.now() / 1_000;
    const { headers, body } = await ask('POST', TOKENS, undefined, { space: 'customer-42' });
    const after = Date.now() / 1_000;
    expect(String(body['token'])).toMatch(/^kiln_pt_[0-9A-Za-z]{43}$/);
    expect(headers.get('cache-control')).toBe('no-store');
    const expiresAt = Date.parse(`${String(body['expires_at']).replace(' ', 'T')}Z`) / 1_000;
    expect(expiresAt).toBeGreaterThan(before + 3_590);
    expect(expiresAt).toBeLessThanOrEqual(after + 3_601);
    const { token: _token, ...rest } = body;
    expect(await verified(String(body['token']))).toStrictEqual({ valid: true, ...rest });
  });

  it('are 400 without a space, with a bad one, and with a time out of range', async () => {
    for (const [body, message] of [
      [{}, /^space /],
      [{ space: 'a/b' }, /^space /],
      ...[59, 86_401, 60.5, '60'].map((ttl) => [{ space: 'a', ttl }, /^ttl must be whole seconds from 60/] as const),
    ] as const) {
      const answer = await ask('POST', TOKENS, undefined, body);
      assertStatus(answer, 400, JSON.stringify(body));
      expect(String(answer.body['error'])).toMatch(message);
    }
    for (const ttl of [60, 86_400]) await newToken('a', ttl);
  });

  it('are made only by keys that may read and search themselves: 403 names the scopes that are missing', async () => {
    for (const [scopes, missing] of [
      [['portal:write'], 'the scopes files:read, search:read'],
      [['portal:write', 'files:read'], 'the scope search:read'],
      [['portal:write', 'search:read'], 'the scope files:read'],
    ] as const) {
      const { value } = await pair.newKey({ scopes });
      const { status, body } = await ask('POST', TOKENS, `ApiKey ${value}`, { space: 'customer-42' });
      expect([status, body['code']]).toStrictEqual([403, 'FORBIDDEN']);
      expect(String(body['error'])).toMatch(new RegExp(`lack ${missing}\\.`));
    }
    const { value } = await pair.newKey({ scopes: ['portal:write', 'files:read', 'search:read'] });
    expect((await ask('POST', TOKENS, `ApiKey ${value}`, { space: 'customer-42' })).status).toBe(201);
  });

  it('verify as false alike when unknown, malformed, expired and revoked', async () => {
    const [expired, revoked] = [await newToken(), await newToken()];
    await ask('DELETE', `${TOKENS}/${revoked}`);
    await expire();
    const wrong = {
      short: 'x',
      escaped: '%00',
      unknown: newPortalToken().value,
      expired,
      revoked,
      long: `${expired}a`,
    };
    for (const [reason, token] of Object.entries(wrong))
      expect({ reason, ...(await verified(token)) }).toStrictEqual({ reason, ...INVALID });
  });

  it('end at once on every gateway when revoked, for their own tenant only, and once', async () => {
    const token = await newToken();
    const stranger = await pair.organizations.create('Stranger', 'free');
    const others = [await pair.newKey({ organizationId: stranger.id }), await pair.newKey({ mode: 'test' })];
    for (const { value } of others) {
      expect((await ask('DELETE', `${TOKENS}/${token}`, `ApiKey ${value}`)).status).toBe(404);
    }
    const statuses = async () => {
      const headers = { authorization: `PortalToken ${token}` };
      const answers = await Promise.all(pair.gateways.map((gateway) => gateway.fetch('/v1/portal/files', { headers })));
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toStrictEqual([200, 200]);
    expect((await ask('DELETE', `${TOKENS}/${token}`)).body).toStrictEqual({ deleted: true });
    expect(await statuses()).toStrictEqual([401, 401]);
    expect((await ask('DELETE', `${TOKENS}/${token}`)).status).toBe(404);
    expect((await ask('DELETE', `${TOKENS}/x`)).status).toBe(404);
  });

  it('end with the key that made them: at once on every gateway when it is revoked, and no later than it expires', async () => {
    const made = (await ask('POST', '/v1/org/api-keys', undefined, { name: 'maker' })).body;
    const expiresAt = new Date(Date.now() + 1_800_000);
    const ends = { name: 'ends', expires_at: expiresAt.toISOString() };
    const ending = (await ask('POST', '/v1/org/api-keys', undefined, ends)).body;
    const tokenOf = async ({ key }: Record<string, unknown>, ttl: number) =>
      (await ask('POST', TOKENS, `ApiKey ${String(key)}`, { space: 'mine', ttl })).body;
    const short = await tokenOf(ending, 60);
    const long = await tokenOf(ending, 86_400);
    expect(long['expires_at']).toBe(formatTimestamp(expiresAt));
    expect(String(short['expires_at']) < String(long['expires_at'])).toBe(true);
    const { token } = await tokenOf(made, 3_600);
    const statuses = async () => {
      const headers = { authorization: `PortalToken ${String(token)}` };
      const answers = await Promise.all(pair.gateways.map((gateway) => gateway.fetch('/v1/portal/files', { headers })));
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toStrictEqual([200, 200]);
    expect((await ask('DELETE', `/v1/org/api-keys/${String(made['id'])}`)).status).toBe(200);
    expect(await statuses()).toStrictEqual([401, 401]);
    expect(await verified(String(token))).toStrictEqual(INVALID);
    expect((await listed()).map(({ prefix }) => prefix)).not.toContain(String(token).slice(0, 16));
    expect((await verified(String(long['token'])))['valid']).toBe(true);
  });

  it('are listed by their prefix, newest first and page by page, to their own tenant, and revoked by it', async () => {
    const stranger = await pair.organizations.create('Stranger with a portal', 'free');
    const { value: foreign } = await pair.newKey({ organizationId: stranger.id });
    const { id: key_id, value } = await pair.newKey();
    const made: Record<string, unknown>[] = [];
    for (const space of ['one', 'two', 'three']) {
      made.unshift((await ask('POST', TOKENS, `ApiKey ${value}`, { space })).body);
    }
    const mine = (await listed(1)).filter((token) => token['key_id'] === key_id);
    expect(mine.map(({ created_at: _at, ...token }) => token)).toStrictEqual(
      made.map(({ token, ...rest }) => ({ prefix: String(token).slice(0, 16), ...rest, key_id })),
    );
    expect(JSON.stringify(mine)).not.toContain(String(made[0]?.['token']));
    expect(await listed(50, `ApiKey ${foreign}`)).toStrictEqual([]);
    const prefix = String(mine[1]?.['prefix']);
    expect((await ask('DELETE', `${TOKENS}/${prefix}`, `ApiKey ${foreign}`)).status).toBe(404);
    expect((await ask('DELETE', `${TOKENS}/${prefix.slice(0, -1)}`)).status).toBe(404);
    expect((await ask('GET', '/v1/portal/files', `PortalToken ${prefix}`)).status).toBe(401);
    expect((await ask('DELETE', `${TOKENS}/${prefix}`)).body).toStrictEqual({ deleted: true });
    expect((await ask('DELETE', `${TOKENS}/${prefix}`)).status).toBe(404);
    const valid = await Promise.all(made.map(async ({ token }) => (await verified(String(token)))['valid']));
    expect(valid).toStrictEqual([true, false, true]);
  });

  it('see their own space and tenant, whatever space the request asks for', async () => {
    const test = await pair.newKey({ mode: 'test' });
    const { body } = await ask('POST', TOKENS, `ApiKey ${test.value}`, { space: 'mine' });
    const as = `PortalToken ${String(body['token'])}`;
    expect((await ask('GET', '/v1/portal/files?space=other&limit=3', as)).status).toBe(200);
    expect((await ask('POST', '/v1/portal/search', as, { query: 'x', space: 'other' })).status).toBe(200);
    const [list] = pair.fakes.callsOf(filesOperations.listFiles);
    const [search] = pair.fakes.callsOf(searchOperations.search);
    expect([list?.input.space, list?.input.limit, search?.input.space]).toStrictEqual(['mine', 3, 'mine']);
    const [organization] = await pair.query('select test_tenant_id as tenant from organizations order by created_at');
    for (const call of [list, search]) {
      expect(call?.context.tenantId).toBe(organization?.['tenant']);
      expect(call?.context.principal ?? '').toMatch(/^ptk_/);
    }
  });

  it('show a file of their space, and none of another, as if it did not exist', async () => {
    const upload = { filename: 'a.pdf', space: 'customer-42' };
    const { body } = await ask('POST', '/v1/upload', undefined, upload);
    const path = `/v1/portal/files/${String(body['id'])}`;
    expect((await ask('GET', path, `PortalToken ${await newToken()}`)).status).toBe(200);
    const other = `PortalToken ${await newToken('customer-43')}`;
    for (const action of ['', '/download']) {
      const hidden = await ask('GET', `${path}${action}`, other);
      const unknown = await ask('GET', `/v1/portal/files/${String(body['id']).slice(0, -1)}0${action}`, other);
      expect([hidden.status, unknown.status]).toStrictEqual([404, 404]);
      expect({ ...hidden.body, requestId: '' }).toStrictEqual({ ...unknown.body, requestId: '' });
    }
  });

  it('never get another space’s kept answer by an Idempotency-Key', async () => {
    for (const space of ['one', 'two']) {
      const headers = {
        authorization: `PortalToken ${await newToken(space)}`,
        'content-type': 'application/json',
        'idempotency-key': 'the same',
      };
      const body = JSON.stringify({ query: 'x' });
      await fetch(`${pair.first.url}/v1/portal/search`, { method: 'POST', headers, body });
    }
    const spaces = pair.fakes.callsOf(searchOperations.search).map(({ input }) => input.space);
    expect(spaces).toStrictEqual(['one', 'two']);
  });

  it('are 401 when missing, unknown, expired, or used where an API key is wanted, and so are keys in their place', async () => {
    const expired = await newToken();
    await expire();
    const token = await newToken();
    for (const as of [null, `PortalToken ${newPortalToken().value}`, `PortalToken ${expired}`, `ApiKey ${TEST_KEY}`]) {
      assertStatus(await ask('GET', '/v1/portal/files', as), 401, String(as));
    }
    for (const as of [`PortalToken ${token}`, `ApiKey ${token}`]) {
      expect((await ask('GET', '/v1/files', as)).status).toBe(401);
    }
  });

  it('have a rate limit of their own', async () => {
    const headersOf = async (token: string) =>
      (await ask('GET', '/v1/portal/files', `PortalToken ${token}`)).headers.get('ratelimit-limit');
    expect(await headersOf(await newToken())).toBe('100000');
  });

  it('are stored as SHA-256 only, and reach no log', async () => {
    const token = await newToken();
    await verified(token);
    await ask('GET', '/v1/portal/files', `PortalToken ${token}`);
    await ask('PATCH', `${TOKENS}/${token}/verify`, null);
    await ask('GET', `${TOKENS}/${token}/verify/more`, null);
    await ask('DELETE', `${TOKENS}/${token}`);
    const stored = JSON.stringify(await pair.query('select * from portal_tokens'));
    const logs = JSON.stringify(pair.gateways.map((gateway) => [gateway.logs, gateway.errors]));
    for (const text of [stored, logs]) expect(text).not.toContain(token);
    expect(logs).toContain('/v1/portal/tokens/:token/verify');
  });

  it('are swept away once they have expired, and only then', async () => {
    await newToken();
    await expire();
    const token = await newToken();
    await new PortalTokenStore(pair.database).deleteExpired();
    expect(await pair.query('select 1 from portal_tokens')).toHaveLength(1);
    expect((await verified(token))['valid']).toBe(true);
  });
});
