// Real: two gateway processes, Postgres, NATS, Redis, object store. No service is asked. Every answer is checked against
// /openapi.json. Grouped by status.
import { encodeId, formatTimestamp } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { CheckedResponses } from '@kiln/openapi-check';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { apiKeyPattern, newApiKey } from '../auth/api-key.js';
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

  before(async () => {
    pair = await GatewayPair.start();
    responses = await CheckedResponses.of(pair.first.url);
  });
  after(() => pair.stop());

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
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
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
      assert.equal(repeat.headers.get('idempotency-replayed'), 'true');
      assert.equal(repeat.headers.get('cache-control'), 'no-store');
      assert.equal(((await repeat.json()) as Created).key, first.key);
      const refused = await post(other.key);
      assert.equal(refused.status, 409);
      assert.doesNotMatch(await refused.text(), /kiln_live_/);
    });

    it('gives a key with all scopes, live and without end unless told otherwise; it works on every gateway', async () => {
      const { headers, body } = await ask('POST', KEYS, { body: { name: '  Nightly import ' } });
      assert.deepEqual(
        [body['name'], body['scopes'], body['mode'], body['expires_at']],
        ['Nightly import', ['*'], 'live', null],
      );
      assert.match(String(body['key']), apiKeyPattern);
      assert.equal(body['prefix'], String(body['key']).slice(0, 14));
      assert.equal(headers.get('cache-control'), 'no-store');
      for (const gateway of pair.gateways) assert.equal(await statusWith(gateway, String(body['key'])), 200);
    });

    it('tells the value once, keeps only its SHA-256, and logs it nowhere', async () => {
      const { id, key } = await create({ name: 'secret' });
      assert.equal(JSON.stringify(await listed(id)).includes(key), false);
      const stored = JSON.stringify(await pair.query('select * from api_keys'));
      assert.equal(stored.includes(key), false);
      const logs = JSON.stringify(pair.gateways.map((gateway) => gateway.logs));
      assert.equal(logs.includes(key), false);
    });

    it('takes a bare date as midnight UTC and a time with its zone', async () => {
      assert.equal((await create({ name: 'date', expires_at: '2099-01-02' }))['expires_at'], '2099-01-02 00:00:00');
      const zoned = await create({ name: 'zone', expires_at: '2099-01-02T03:04:05+02:00' });
      assert.equal(zoned['expires_at'], '2099-01-02 01:04:05');
    });

    it('lets a key give away the scopes it has, and * give any', async () => {
      const maker = await create({ name: 'maker', scopes: ['keys:write', 'files:read', 'files:read'] });
      assert.deepEqual(maker['scopes'], ['keys:write', 'files:read']);
      const made = await create({ name: 'made', scopes: ['files:read'] }, maker.key);
      assert.equal(await statusWith(pair.second, made.key, '/v1/files'), 200);
      assert.equal(await statusWith(pair.second, made.key, KEYS), 403);
    });

    it('lets two keys have one name', async () => {
      const [first, second] = [await create({ name: 'twin' }), await create({ name: 'twin' })];
      assert.notEqual(first.id, second.id);
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
      assert.deepEqual(ids.slice(0, 2), [newer.id, older.id]);
      assert.equal(ids.includes(revoked.id) || ids.includes(foreign.id), false);
      const seen = await ask('GET', KEYS, { key: foreign.value });
      assert.deepEqual(
        (seen.body['api_keys'] as { id: string }[]).map(({ id }) => id),
        [foreign.id],
      );
    });

    it('pages so that keys made or revoked meanwhile make none appear twice or go missing', async () => {
      const organization = await pair.organizations.create('Pages', 'free');
      const organizationId = organization.id;
      const keys = [];
      for (let count = 0; count < 5; count++) keys.push(await pair.newKey({ organizationId }));
      const [oldest, , , fourth, newest] = keys;
      assert.ok(oldest && fourth && newest);
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
      assert.deepEqual(seen, keys.map(({ id }) => id).toReversed());
    });

    it('revokes a key at once on every gateway', async () => {
      const { id, key } = await create({ name: 'to revoke' });
      for (const gateway of pair.gateways) assert.equal(await statusWith(gateway, key), 200);
      const { status, body } = await ask('DELETE', `${KEYS}/${id}`);
      assert.deepEqual([status, body], [200, { deleted: true }]);
      for (const gateway of pair.gateways) assert.equal(await statusWith(gateway, key), 401);
    });

    it('revokes the first key of the installation for good: no restart brings it back', async () => {
      const first = newApiKey('live');
      const start = () => GatewayProcess.start(pair.surroundings, { KILN_API_KEY: first });
      const before = await start();
      assert.equal(await statusWith(before, first), 200);
      await before.stop();
      const { body } = await ask('GET', `${KEYS}?limit=1`);
      const [newest] = body['api_keys'] as { id: string; name: string; prefix: string }[];
      assert.deepEqual([newest?.name, newest?.prefix], ['bootstrap', first.slice(0, 14)]);
      assert.equal((await ask('DELETE', `${KEYS}/${newest?.id}`)).status, 200);
      const after = await start();
      assert.equal(await statusWith(after, first), 401);
      await after.stop();
    });

    it('lets a key revoke itself', async () => {
      const { id, key } = await create({ name: 'leaked', scopes: ['keys:write'] });
      assert.equal((await ask('DELETE', `${KEYS}/${id}`, { key })).status, 200);
      assert.equal((await ask('DELETE', `${KEYS}/${id}`, { key })).status, 401);
    });

    it('tells when a key was last used, a few seconds later and through whichever gateway', async () => {
      const startedAt = formatTimestamp(new Date(Date.now() - 1_000));
      const { id, key } = await create({ name: 'used' });
      assert.equal((await listed(id))?.['last_used_at'], null);
      assert.equal(await statusWith(pair.second, key), 200);
      const lastUsedAt = await eventually(
        async () => ((await listed(id))?.['last_used_at'] ?? false) as string | false,
        {
          timeoutMs: 15_000,
        },
      );
      assert.ok(lastUsedAt >= startedAt, `${lastUsedAt} ${startedAt}`);
    });

    it('tells it also of a key whose gateway stopped right after', async () => {
      const { id, key } = await create({ name: 'used last' });
      const gateway = await GatewayProcess.start(pair.surroundings);
      assert.equal(await statusWith(gateway, key), 200);
      assert.equal(await gateway.stop(), 0);
      assert.notEqual((await listed(id))?.['last_used_at'], null);
    });
  });

  describe('400', () => {
    it('names what is wrong with a new key', async () => {
      const wrong: [unknown, RegExp][] = [
        [{}, /^name: /],
        [{ name: '   ' }, /^name: must not be empty/],
        [{ name: 'x'.repeat(256) }, /^name: must be at most 255/],
        [{ name: 'a\u0000b' }, /^name: must not contain control/],
        [{ name: 7 }, /^name: /],
        [{ name: 'a', scopes: ['files:read', 'files:admin'] }, /^scopes\[1\]: must be one of files:read, /],
        [{ name: 'a', scopes: [] }, /^scopes: must name at least one/],
        [{ name: 'a', scopes: 'files:read' }, /^scopes: /],
        [{ name: 'a', mode: 'prod' }, /^mode: /],
        [{ name: 'a', expires_at: '2099-01-02T03:04:05' }, /^expires_at: must be ISO 8601 with a zone/],
        [{ name: 'a', expires_at: 1e12 }, /^expires_at: must be ISO 8601/],
        [{ name: 'a', expires_at: '2020-01-01' }, /^expires_at: must be in the future/],
      ];
      for (const [body, message] of wrong) {
        const answer = await ask('POST', KEYS, { body });
        assert.equal(answer.status, 400, JSON.stringify(body));
        assert.match(String(answer.body['error']), message);
      }
    });

    it("refuses a limit out of range and another organization's cursor", async () => {
      const { body } = await ask('GET', `${KEYS}?limit=1`);
      const stranger = await pair.organizations.create('Cursor thief', 'free');
      const { value } = await pair.newKey({ organizationId: stranger.id });
      assert.equal((await ask('GET', `${KEYS}?cursor=${String(body['next_cursor'])}`, { key: value })).status, 400);
      for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=x']) {
        const answer = await ask('GET', `${KEYS}?${query}`);
        assert.equal(answer.status, 400, query);
        assert.match(String(answer.body['error']), new RegExp(`^${query.split('=')[0]}: `));
      }
    });
  });

  describe('403', () => {
    it('keeps a key from giving scopes it lacks, all of them by default included', async () => {
      const { key } = await create({ name: 'narrow', scopes: ['keys:write', 'files:read'] });
      for (const scopes of [['files:read', 'files:write'], ['*'], undefined]) {
        const answer = await ask('POST', KEYS, { key, body: { name: 'wider', scopes } });
        assert.equal(answer.status, 403, JSON.stringify(scopes));
        assert.match(String(answer.body['error']), scopes?.[1] ? /files:write/ : /\*/);
      }
    });

    it('keeps a test key from making and from revoking live ones', async () => {
      const test = await create({ name: 'test', mode: 'test' });
      const live = await create({ name: 'live' });
      assert.equal((await ask('POST', KEYS, { key: test.key, body: { name: 'a' } })).status, 403);
      assert.equal((await ask('DELETE', `${KEYS}/${live.id}`, { key: test.key })).status, 403);
      const other = await create({ name: 'b', mode: 'test' }, test.key);
      assert.equal((await ask('DELETE', `${KEYS}/${other.id}`, { key: test.key })).status, 200);
    });
  });

  describe('404', () => {
    it("is the same for unknown, revoked, malformed and another organization's ids", async () => {
      const stranger = await pair.organizations.create('Other', 'free');
      const foreign = await pair.newKey({ organizationId: stranger.id });
      const revoked = await create({ name: 'twice' });
      assert.equal((await ask('DELETE', `${KEYS}/${revoked.id}`)).status, 200);
      const errors = new Set<unknown>();
      for (const id of [UNKNOWN_KEY, revoked.id, foreign.id, 'x', UNKNOWN_KEY.replace('key_', 'file_')]) {
        const answer = await ask('DELETE', `${KEYS}/${id}`);
        assert.equal(answer.status, 404, id);
        errors.add(answer.body['error']);
      }
      assert.equal(errors.size, 1);
      assert.equal(await statusWith(pair.first, foreign.value), 200);
    });

    it('is what all but one of several callers get that revoke a key at once', async () => {
      const { id } = await create({ name: 'contested' });
      const answers = await Promise.all(Array.from({ length: 6 }, () => ask('DELETE', `${KEYS}/${id}`)));
      assert.deepEqual(
        answers.map(({ status }) => status).sort((a, b) => a - b),
        [200, 404, 404, 404, 404, 404],
      );
    });
  });
});
