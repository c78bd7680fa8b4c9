// Real: two gateway processes, Postgres, NATS, Redis, object store. FAKES: the files and search services (responders on the
// real bus, see test/fake-services.ts). Every answer is checked against /openapi.json.
import { filesOperations, searchOperations } from '@kiln/contracts';
import { CheckedResponses } from '@kiln/openapi-check';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { GatewayPair } from '../test/gateway-pair.js';
import { TEST_KEY } from '../test/gateway-process.js';
import { newPortalToken } from './portal-token.js';
import { PortalTokenStore } from './portal-token.store.js';

const TOKENS = '/v1/portal/tokens';
const INVALID = { valid: false, space: null, expires_at: null };

describe('portal tokens', () => {
  let pair: GatewayPair;
  let responses: CheckedResponses;

  before(async () => {
    pair = await GatewayPair.start();
    responses = await CheckedResponses.of(pair.first.url);
  });
  beforeEach(() => pair.fakes.reset());
  after(() => pair.stop());

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
    assert.equal(status, 201);
    return String(body['token']);
  }

  const verified = async (token: string) => (await ask('GET', `${TOKENS}/${token}/verify`, null)).body;
  const expire = () => pair.query("update portal_tokens set expires_at = now() - interval '1 second'");

  it('are made for one space and an hour unless told otherwise, and anyone may verify them', async () => {
    const { headers, body } = await ask('POST', TOKENS, undefined, { space: 'customer-42' });
    assert.match(String(body['token']), /^kiln_pt_[0-9A-Za-z]{43}$/);
    assert.equal(headers.get('cache-control'), 'no-store');
    const seconds = Date.parse(`${String(body['expires_at']).replace(' ', 'T')}Z`) / 1_000 - Date.now() / 1_000;
    assert.ok(seconds > 3_590 && seconds <= 3_601, String(seconds));
    const { token: _token, ...rest } = body;
    assert.deepEqual(await verified(String(body['token'])), { valid: true, ...rest });
  });

  it('are 400 without a space, with a bad one, and with a time out of range', async () => {
    for (const [body, message] of [
      [{}, /^space: /],
      [{ space: 'a/b' }, /^space: /],
      ...[59, 86_401, 60.5, '60'].map((ttl) => [{ space: 'a', ttl }, /^ttl: must be whole seconds from 60/] as const),
    ] as const) {
      const answer = await ask('POST', TOKENS, undefined, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.match(String(answer.body['error']), message);
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
      assert.deepEqual([status, body['code']], [403, 'FORBIDDEN']);
      assert.match(String(body['error']), new RegExp(`lack ${missing}\\.`));
    }
    const { value } = await pair.newKey({ scopes: ['portal:write', 'files:read', 'search:read'] });
    assert.equal((await ask('POST', TOKENS, `ApiKey ${value}`, { space: 'customer-42' })).status, 201);
  });

  it('verify as false alike when unknown, malformed, expired and revoked', async () => {
    const [expired, revoked] = [await newToken(), await newToken()];
    await ask('DELETE', `${TOKENS}/${revoked}`);
    await expire();
    for (const token of ['x', '%00', newPortalToken(), expired, revoked, `${expired}a`]) {
      assert.deepEqual(await verified(token), INVALID, token);
    }
  });

  it('end at once on every gateway when revoked, for their own tenant only, and once', async () => {
    const token = await newToken();
    const stranger = await pair.organizations.create('Stranger', 'free');
    const others = [await pair.newKey({ organizationId: stranger.id }), await pair.newKey({ mode: 'test' })];
    for (const { value } of others) {
      assert.equal((await ask('DELETE', `${TOKENS}/${token}`, `ApiKey ${value}`)).status, 404);
    }
    const statuses = async () => {
      const headers = { authorization: `PortalToken ${token}` };
      const answers = await Promise.all(pair.gateways.map((gateway) => gateway.fetch('/v1/portal/files', { headers })));
      return answers.map(({ status }) => status);
    };
    assert.deepEqual(await statuses(), [200, 200]);
    assert.deepEqual((await ask('DELETE', `${TOKENS}/${token}`)).body, { deleted: true });
    assert.deepEqual(await statuses(), [401, 401]);
    assert.equal((await ask('DELETE', `${TOKENS}/${token}`)).status, 404);
    assert.equal((await ask('DELETE', `${TOKENS}/x`)).status, 404);
  });

  it('see their own space and tenant, whatever space the request asks for', async () => {
    const test = await pair.newKey({ mode: 'test' });
    const { body } = await ask('POST', TOKENS, `ApiKey ${test.value}`, { space: 'mine' });
    const as = `PortalToken ${String(body['token'])}`;
    assert.equal((await ask('GET', '/v1/portal/files?space=other&limit=3', as)).status, 200);
    assert.equal((await ask('POST', '/v1/portal/search', as, { query: 'x', space: 'other' })).status, 200);
    const [list] = pair.fakes.callsOf(filesOperations.listFiles);
    const [search] = pair.fakes.callsOf(searchOperations.search);
    assert.deepEqual([list?.input.space, list?.input.limit, search?.input.space], ['mine', 3, 'mine']);
    const [organization] = await pair.query('select test_tenant_id as tenant from organizations order by created_at');
    for (const call of [list, search]) {
      assert.equal(call?.context.tenantId, organization?.['tenant']);
      assert.match(call?.context.principal ?? '', /^ptk_/);
    }
  });

  it('show a file of their space, and none of another, as if it did not exist', async () => {
    const upload = { filename: 'a.pdf', space: 'customer-42' };
    const { body } = await ask('POST', '/v1/upload', undefined, upload);
    const path = `/v1/portal/files/${String(body['id'])}`;
    assert.equal((await ask('GET', path, `PortalToken ${await newToken()}`)).status, 200);
    const other = `PortalToken ${await newToken('customer-43')}`;
    const hidden = await ask('GET', path, other);
    const unknown = await ask('GET', `/v1/portal/files/${String(body['id']).slice(0, -1)}0`, other);
    assert.deepEqual([hidden.status, unknown.status], [404, 404]);
    assert.equal(hidden.body['error'], unknown.body['error']);
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
    assert.deepEqual(spaces, ['one', 'two']);
  });

  it('are 401 when missing, unknown, expired, or used where an API key is wanted, and so are keys in their place', async () => {
    const expired = await newToken();
    await expire();
    const token = await newToken();
    for (const as of [null, `PortalToken ${newPortalToken()}`, `PortalToken ${expired}`, `ApiKey ${TEST_KEY}`]) {
      assert.equal((await ask('GET', '/v1/portal/files', as)).status, 401, String(as));
    }
    for (const as of [`PortalToken ${token}`, `ApiKey ${token}`]) {
      assert.equal((await ask('GET', '/v1/files', as)).status, 401);
    }
  });

  it('have a rate limit of their own', async () => {
    const headersOf = async (token: string) =>
      (await ask('GET', '/v1/portal/files', `PortalToken ${token}`)).headers.get('ratelimit-limit');
    assert.equal(await headersOf(await newToken()), '100000');
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
    for (const text of [stored, logs]) assert.equal(text.includes(token), false);
    assert.ok(logs.includes('/v1/portal/tokens/:token/verify'));
  });

  it('are swept away once they have expired, and only then', async () => {
    await newToken();
    await expire();
    const token = await newToken();
    await new PortalTokenStore(pair.database).deleteExpired();
    assert.equal((await pair.query('select 1 from portal_tokens')).length, 1);
    assert.equal((await verified(token))['valid'], true);
  });
});
