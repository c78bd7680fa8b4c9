// Real: two gateway processes, Postgres, NATS, Redis, object store. No service is asked. Every answer is checked against
// /openapi.json. Grouped by status.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, formatTimestamp, uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { CheckedResponses } from '@kiln/openapi-check';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { apiKeyPattern, newApiKey } from './api-key.domain.js';
import { KEYS_MAX } from './api-key.store.js';
import { GatewayPair } from '../test/gateway-pair.js';
import { GatewayProcess } from '../test/gateway-process.js';

const KEYS = '/v1/org/api-keys';
const UNKNOWN_KEY = encodeId('key', '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a99');

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

interface Created {
  id: string;
  key: string;
}

describe('API keys', () => {
  let pair: GatewayPair;
  let responses: CheckedResponses;

  beforeAll(async () => {
    pair = await GatewayPair.start();
    responses = await CheckedResponses.of(pair.first.url);
  });
  afterAll(() => pair.stop());

  async function ask(
    method: string,
    path: string,
    { body, key }: { body?: unknown; key?: string } = {},
  ): Promise<Answer> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (key !== undefined) headers['authorization'] = `ApiKey ${key}`;
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await pair.first.fetch(path, init);
    return { status: response.status, headers: response.headers, body: await responses.check(method, path, response) };
  }

  async function create(body: object, key?: string): Promise<Created & Record<string, unknown>> {
    const answer = await ask('POST', KEYS, { body, ...(key !== undefined && { key }) });
    assertStatus(answer, 201);
    return answer.body as unknown as Created & Record<string, unknown>;
  }

  const statusWith = async (gateway: GatewayProcess, key: string, path = '/v1/me') =>
    (await gateway.fetch(path, { headers: { authorization: `ApiKey ${key}` } })).status;

  const listed = async (id: string) => {
    const { body } = await ask('GET', `${KEYS}?limit=200`);
    return (body['api_keys'] as Record<string, unknown>[]).find((key) => key['id'] === id);
  };

  describe('201', () => {
    it('repeats its answer under an Idempotency-Key to the same credentials only, since it holds a secret', async () => {
      const maker = await create({ name: 'maker' });
      const other = await create({ name: 'other', scopes: ['keys:write'] });
      const post = (key: string) =>
        pair.second.post(
          KEYS,
          { name: 'made once' },
          { authorization: `ApiKey ${key}`, 'idempotency-key': 'known to both' },
        );
      const first = (await (await post(maker.key)).json()) as Created;
      const repeat = await post(maker.key);
      expect(repeat.headers.get('idempotency-replayed')).toBe('true');
      expect(repeat.headers.get('cache-control')).toBe('no-store');
      expect(((await repeat.json()) as Created).key).toBe(first.key);
      const refused = await post(other.key);
      expect(refused.status).toBe(409);
      expect(await refused.text()).not.toMatch(/kiln_live_/);
    });

    it('creates a live key with all scopes and no expiry by default, which works on every gateway', async () => {
      const { headers, body } = await ask('POST', KEYS, { body: { name: '  Nightly import ' } });
      expect([body['name'], body['scopes'], body['mode'], body['expires_at']]).toStrictEqual([
        'Nightly import',
        ['*'],
        'live',
        null,
      ]);
      expect(String(body['key'])).toMatch(apiKeyPattern);
      expect(body['prefix']).toBe(String(body['key']).slice(0, 14));
      expect(headers.get('cache-control')).toBe('no-store');
      for (const gateway of pair.gateways) expect(await statusWith(gateway, String(body['key']))).toBe(200);
    });

    it('returns the value once, stores only its SHA-256, and never logs it', async () => {
      const { id, key } = await create({ name: 'secret' });
      expect(JSON.stringify(await listed(id))).not.toContain(key);
      expect(JSON.stringify(await pair.query('select * from api_keys'))).not.toContain(key);
      expect(JSON.stringify(pair.gateways.map((gateway) => gateway.logs))).not.toContain(key);
    });

    it('takes a bare date as midnight UTC and a time with its zone', async () => {
      expect((await create({ name: 'date', expires_at: '2099-01-02' }))['expires_at']).toBe('2099-01-02 00:00:00');
      const zoned = await create({ name: 'zone', expires_at: '2099-01-02T03:04:05+02:00' });
      expect(zoned['expires_at']).toBe('2099-01-02 01:04:05');
    });

    it('lets a key give away the scopes it has, and * give any', async () => {
      const maker = await create({ name: 'maker', scopes: ['keys:write', 'files:read', 'files:read'] });
      expect(maker['scopes']).toStrictEqual(['keys:write', 'files:read']);
      const made = await create({ name: 'made', scopes: ['files:read'] }, maker.key);
      expect(await statusWith(pair.second, made.key, '/v1/files')).toBe(200);
      expect(await statusWith(pair.second, made.key, KEYS)).toBe(403);
    });

    it('lets two keys have one name', async () => {
      const [first, second] = [await create({ name: 'twin' }), await create({ name: 'twin' })];
      expect(first.id).not.toBe(second.id);
    });
  });

  describe('200', () => {
    it('lists the keys of the organization alone, newest first, live and test, without those that are revoked', async () => {
      const stranger = await pair.organizations.create('Stranger', 'free');
      const foreign = await pair.newKey({ organizationId: stranger.id });
      const [older, newer] = [await create({ name: 'older' }), await create({ name: 'newer', mode: 'test' })];
      const revoked = await create({ name: 'revoked' });
      await ask('DELETE', `${KEYS}/${revoked.id}`);
      const { body } = await ask('GET', `${KEYS}?limit=200`);
      const ids = (body['api_keys'] as { id: string }[]).map(({ id }) => id);
      expect(ids.slice(0, 2)).toStrictEqual([newer.id, older.id]);
      expect(ids).not.toContain(revoked.id);
      expect(ids).not.toContain(foreign.id);
      const seen = await ask('GET', KEYS, { key: foreign.value });
      expect((seen.body['api_keys'] as { id: string }[]).map(({ id }) => id)).toStrictEqual([foreign.id]);
    });

    it('pages so that keys made or revoked meanwhile make none appear twice or go missing', async () => {
      const organization = await pair.organizations.create('Pages', 'free');
      const organizationId = organization.id;
      const keys = [];
      for (let count = 0; count < 5; count++) keys.push(await pair.newKey({ organizationId }));
      const [oldest, , , fourth, newest] = keys;
      if (!oldest || !fourth || !newest) throw new Error('no oldest or fourth or newest');
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const path = `${KEYS}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
        const { body }: Answer = await ask('GET', path, { key: newest.value });
        seen.push(...(body['api_keys'] as { id: string }[]).map(({ id }) => id));
        if (cursor === null) {
          await pair.newKey({ organizationId });
          await ask('DELETE', `${KEYS}/${fourth.id}`, { key: newest.value });
        }
        cursor = body['next_cursor'] as string | null;
      } while (cursor !== null);
      expect(seen).toStrictEqual(keys.map(({ id }) => id).toReversed());
    });

    it('revokes a key at once on every gateway', async () => {
      const { id, key } = await create({ name: 'to revoke' });
      for (const gateway of pair.gateways) expect(await statusWith(gateway, key)).toBe(200);
      const { status, body } = await ask('DELETE', `${KEYS}/${id}`);
      expect([status, body]).toStrictEqual([200, { deleted: true }]);
      for (const gateway of pair.gateways) expect(await statusWith(gateway, key)).toBe(401);
    });

    it('revokes the first key of the installation for good: no restart brings it back', async () => {
      const first = newApiKey('live').value;
      const start = () => GatewayProcess.start(pair.surroundings, { KILN_API_KEY: first });
      const before = await start();
      expect(await statusWith(before, first)).toBe(200);
      await before.stop();
      const { body } = await ask('GET', `${KEYS}?limit=1`);
      const [newest] = body['api_keys'] as { id: string; name: string; prefix: string }[];
      expect([newest?.name, newest?.prefix]).toStrictEqual(['bootstrap', first.slice(0, 14)]);
      expect((await ask('DELETE', `${KEYS}/${newest?.id}`)).status).toBe(200);
      const after = await start();
      expect(await statusWith(after, first)).toBe(401);
      await after.stop();
    });

    it('lets a key revoke itself', async () => {
      const { id, key } = await create({ name: 'leaked', scopes: ['keys:write'] });
      expect((await ask('DELETE', `${KEYS}/${id}`, { key })).status).toBe(200);
      expect((await ask('DELETE', `${KEYS}/${id}`, { key })).status).toBe(401);
    });

    it('shows when a key was last used on any gateway, within a few seconds', async () => {
      const startedAt = formatTimestamp(new Date(Date.now() - 1_000));
      const { id, key } = await create({ name: 'used' });
      expect((await listed(id))?.['last_used_at']).toBeNull();
      expect(await statusWith(pair.second, key)).toBe(200);
      const lastUsedAt = await eventually(
        async () => ((await listed(id))?.['last_used_at'] ?? false) as string | false,
      );
      expect(Date.parse(String(lastUsedAt))).toBeGreaterThanOrEqual(Date.parse(startedAt));
    });

    it('shows it as well when the gateway stopped right after the use', async () => {
      // On a busy machine the phase of the shutdown that writes it may reach its deadline.
      await eventually(async () => {
        const { id, key } = await create({ name: 'used last' });
        const gateway = await GatewayProcess.start(pair.surroundings);
        expect(await statusWith(gateway, key)).toBe(200);
        expect(await gateway.stop()).toBe(0);
        expect((await listed(id))?.['last_used_at']).not.toBeNull();
      });
    });
  });

  describe('400', () => {
    it('names what is wrong with a new key', async () => {
      const wrong: [unknown, RegExp][] = [
        [{}, /^name /],
        [{ name: '   ' }, /^name must not be empty/],
        [{ name: 'x'.repeat(256) }, /^name must be at most 255/],
        [{ name: 'a\u0000b' }, /^name must not contain control/],
        [{ name: 7 }, /^name /],
        [{ name: 'a', scopes: ['files:read', 'files:admin'] }, /^scopes\[1\] must be one of files:read, /],
        [{ name: 'a', scopes: [] }, /^scopes must name at least one/],
        [{ name: 'a', scopes: 'files:read' }, /^scopes /],
        [{ name: 'a', mode: 'prod' }, /^mode /],
        [{ name: 'a', expires_at: '2099-01-02T03:04:05' }, /^expires_at must be ISO 8601 with a zone/],
        [{ name: 'a', expires_at: 1e12 }, /^expires_at must be ISO 8601/],
        [{ name: 'a', expires_at: '2020-01-01' }, /^expires_at must be in the future/],
      ];
      for (const [body, message] of wrong) {
        const answer = await ask('POST', KEYS, { body });
        assertStatus(answer, 400, JSON.stringify(body));
        expect(String(answer.body['error'])).toMatch(message);
      }
    });

    it("refuses a limit out of range and another organization's cursor", async () => {
      const { body } = await ask('GET', `${KEYS}?limit=1`);
      const stranger = await pair.organizations.create('Cursor thief', 'free');
      const { value } = await pair.newKey({ organizationId: stranger.id });
      expect((await ask('GET', `${KEYS}?cursor=${String(body['next_cursor'])}`, { key: value })).status).toBe(400);
      for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=x']) {
        const answer = await ask('GET', `${KEYS}?${query}`);
        assertStatus(answer, 400, query);
        expect(String(answer.body['error'])).toMatch(new RegExp(`^${query.split('=')[0]} `));
      }
    });
  });

  describe('403', () => {
    it('keeps a key from giving scopes it lacks, all of them by default included', async () => {
      const { key } = await create({ name: 'narrow', scopes: ['keys:write', 'files:read'] });
      for (const scopes of [['files:read', 'files:write'], ['*'], undefined]) {
        const answer = await ask('POST', KEYS, { key, body: { name: 'wider', scopes } });
        assertStatus(answer, 403, `scopes ${String(scopes)}`);
        expect(String(answer.body['error'])).toMatch(scopes?.[1] ? /files:write/ : /\*/);
      }
    });

    it('keeps a test key from making and from revoking live ones', async () => {
      const test = await create({ name: 'test', mode: 'test' });
      const live = await create({ name: 'live' });
      expect((await ask('POST', KEYS, { key: test.key, body: { name: 'a' } })).status).toBe(403);
      expect((await ask('DELETE', `${KEYS}/${live.id}`, { key: test.key })).status).toBe(403);
      const other = await create({ name: 'b', mode: 'test' }, test.key);
      expect((await ask('DELETE', `${KEYS}/${other.id}`, { key: test.key })).status).toBe(200);
    });
  });

  it('keeps a key from making one that outlives it, and lets it make one that ends with it', async () => {
    const expires_at = '2099-01-02T03:04:05Z';
    const maker = await create({ name: 'ends', expires_at });
    for (const later of [{}, { expires_at: null }, { expires_at: '2099-01-02T03:04:06Z' }]) {
      const answer = await ask('POST', KEYS, { key: maker.key, body: { name: 'outlives', ...later } });
      assertStatus(answer, 403, JSON.stringify(later));
      expect(String(answer.body['error'])).toContain('expires_at, 2099-01-02T03:04:05.000Z');
    }
    const made = await create({ name: 'ends too', expires_at: '2099-01-02T03:04:05+00:00' }, maker.key);
    expect(made['expires_at']).toBe('2099-01-02 03:04:05');
  });

  it('makes no more keys than 500 an organization, however many are asked for at once; one that ends leaves its place', async () => {
    const { id: organizationId } = await pair.organizations.create('Many keys', 'free');
    const { value: key } = await pair.newKey({ organizationId });
    await pair.query(
      `insert into api_keys (id, organization_id, name, hash, prefix, scopes, mode, expires_at, revoked_at)
       select gen_random_uuid(), $1, 'filler', sha256(n::text::bytea), 'kiln_live_xxxx', '{"*"}', 'live',
              case when n % 3 = 0 then now() - interval '1 second' end, case when n % 3 = 1 then now() end
       from generate_series(1, 3 * $2) n`,
      [uuidOf('organization', organizationId), KEYS_MAX - 3],
    );
    const post = () => ask('POST', KEYS, { key, body: { name: 'one of the last' } });
    const answers = await Promise.all(Array.from({ length: 6 }, post));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toStrictEqual([201, 201, 409, 409, 409, 409]);
    const made = answers.find(({ status }) => status === 201);
    await ask('DELETE', `${KEYS}/${String(made?.body['id'])}`, { key });
    expect([(await post()).status, (await post()).status]).toStrictEqual([201, 409]);
  });

  describe('404', () => {
    it("is the same for unknown, revoked, malformed and another organization's ids", async () => {
      const stranger = await pair.organizations.create('Other', 'free');
      const foreign = await pair.newKey({ organizationId: stranger.id });
      const revoked = await create({ name: 'twice' });
      expect((await ask('DELETE', `${KEYS}/${revoked.id}`)).status).toBe(200);
      const errors = new Set<unknown>();
      for (const id of [UNKNOWN_KEY, revoked.id, foreign.id, 'x', UNKNOWN_KEY.replace('key_', 'file_')]) {
        const answer = await ask('DELETE', `${KEYS}/${id}`);
        assertStatus(answer, 404, id);
        errors.add(answer.body['error']);
      }
      expect(errors.size).toBe(1);
      expect(await statusWith(pair.first, foreign.value)).toBe(200);
    });

    it('is what all but one of several callers get that revoke a key at once', async () => {
      const { id } = await create({ name: 'contested' });
      const answers = await Promise.all(Array.from({ length: 6 }, () => ask('DELETE', `${KEYS}/${id}`)));
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toStrictEqual([200, 404, 404, 404, 404, 404]);
    });
  });
});
