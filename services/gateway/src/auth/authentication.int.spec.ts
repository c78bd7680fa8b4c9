// Real: two gateway processes at once, Postgres, NATS, Redis, object store. FAKES: the files service (a responder on the real
// bus, see test/fake-services.ts).
import { encodeId, filesOperations, type Scope } from '@kiln/contracts';
import { Database } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { routeTable } from '../routes/route-table.js';
import { FakeServices } from '../test/fake-services.js';
import { freePort } from '../test/free-port.js';
import { GatewayProcess, TEST_KEY, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';
import { fingerprintOf } from './api-key.js';

describe('authentication', () => {
  let surroundings: TestSurroundings;
  let fakes: FakeServices;
  let gateways: GatewayProcess[] = [];
  let database: Database;

  before(async () => {
    surroundings = await testSurroundings();
    fakes = new FakeServices(surroundings.infrastructure.natsUrl, surroundings.namespace);
    await fakes.start();
    const { url } = surroundings.database;
    database = new Database({ url, schema: 'gateway', connectionsMax: 2, statementTimeoutMs: 5_000 }, () => undefined);
    gateways = await Promise.all([GatewayProcess.start(surroundings), GatewayProcess.start(surroundings)]);
  });
  after(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await fakes.stop();
    await database.close();
    surroundings.store.close();
    await surroundings.database.drop();
  });

  const query = (text: string, values: unknown[] = []) => database.query({ name: '', text }, values);

  async function newKey(given: { scopes?: Scope[]; mode?: 'live' | 'test'; expiresAt?: string } = {}): Promise<string> {
    const value = `kiln_${given.mode ?? 'live'}_${randomBytes(32).toString('hex').slice(0, 43)}`;
    const fingerprint = fingerprintOf(value);
    await query(
      `insert into api_keys (id, organization_id, name, hash, prefix, scopes, mode, expires_at)
       select $1, id, 'made by the test', $2, $3, $4, $5, $6 from organizations limit 1`,
      [
        randomUUID(),
        fingerprint?.hash,
        fingerprint?.prefix,
        given.scopes ?? ['*'],
        given.mode ?? 'live',
        given.expiresAt,
      ],
    );
    return value;
  }

  async function revoke(value: string, gateway = gateways[0]): Promise<Response> {
    const [row] = await query('select id from api_keys where hash = $1', [fingerprintOf(value)?.hash]);
    const id = encodeId('key', String(row?.['id']));
    const headers = { authorization: `ApiKey ${TEST_KEY}` };
    return fetch(`${gateway?.url}/v1/org/api-keys/${id}`, { method: 'DELETE', headers });
  }

  async function statusOf(authorization: string | null, path = '/v1/me', method = 'GET'): Promise<number[]> {
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    const answers = await Promise.all(gateways.map((gateway) => fetch(`${gateway.url}${path}`, { method, headers })));
    return answers.map(({ status }) => status);
  }

  it('makes one organization and one key although two gateways started at once', async () => {
    assert.deepEqual(await query('select plan, count(*)::int as made from organizations group by plan'), [
      { plan: 'enterprise', made: 1 },
    ]);
    const keys = await query('select prefix, scopes, mode from api_keys');
    assert.deepEqual(keys, [{ prefix: TEST_KEY.slice(0, 14), scopes: ['*'], mode: 'live' }]);
    assert.deepEqual(await statusOf(`ApiKey ${TEST_KEY}`), [200, 200]);
  });

  it('adds a changed first key beside the old one', async () => {
    const changed = `kiln_test_${'b'.repeat(43)}`;
    const gateway = await GatewayProcess.start(surroundings, { KILN_API_KEY: changed });
    await gateway.stop();
    assert.deepEqual(await statusOf(`ApiKey ${changed}`), [200, 200]);
    assert.deepEqual(await statusOf(`ApiKey ${TEST_KEY}`), [200, 200]);
    assert.equal((await query('select 1 from organizations')).length, 1);
  });

  it('is 401 without a header, with another scheme, and with keys that are malformed or unknown', async () => {
    const unknown = `kiln_live_${'z'.repeat(43)}`;
    for (const header of [null, '', TEST_KEY, `Bearer ${TEST_KEY}`, 'ApiKey', 'ApiKey x', `ApiKey ${unknown}`]) {
      assert.deepEqual(await statusOf(header), [401, 401], String(header));
    }
    const response = await fetch(`${gateways[0]?.url}/v1/me`);
    const body = (await response.json()) as Record<string, unknown>;
    assert.equal(body['code'], 'UNAUTHORIZED');
    assert.equal(body['requestId'], response.headers.get('x-request-id'));
  });

  it('is 401 on every gateway from the moment a key is revoked', async () => {
    for (let time = 0; time < 20; time++) {
      const key = await newKey();
      assert.deepEqual(await statusOf(`ApiKey ${key}`), [200, 200]);
      assert.equal((await revoke(key)).status, 200);
      assert.deepEqual(await statusOf(`ApiKey ${key}`), [401, 401]);
    }
  });

  it('lets no request in with a key whose revocation was answered, however many run beside it', async () => {
    const key = await newKey();
    let revokedAt = Infinity;
    const accepted: number[] = [];
    const ask = async () => {
      while (performance.now() < revokedAt + 300) {
        const startedAt = performance.now();
        const [first, second] = await statusOf(`ApiKey ${key}`);
        if (first === 200 || second === 200) accepted.push(startedAt);
      }
    };
    const asking = Promise.all(Array.from({ length: 4 }, ask));
    await eventually(() => assert.ok(accepted.length > 20));
    assert.equal((await revoke(key)).status, 200);
    revokedAt = performance.now();
    await asking;
    assert.deepEqual(
      accepted.filter((startedAt) => startedAt > revokedAt),
      [],
    );
  });

  describe('with a gateway that can not reach Redis', () => {
    let cutOff: GatewayProcess;
    before(async () => {
      cutOff = await GatewayProcess.start(surroundings, { REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
    });
    after(() => cutOff.stop());

    const statusOn = async ({ url }: GatewayProcess, key: string) =>
      (await fetch(`${url}/v1/me`, { headers: { authorization: `ApiKey ${key}` } })).status;

    it('asks the database for each request, so that a key revoked elsewhere ends at once', async () => {
      const key = await newKey();
      assert.equal(await statusOn(cutOff, key), 200);
      assert.equal((await revoke(key)).status, 200);
      assert.equal(await statusOn(cutOff, key), 401);
    });

    it('answers a revocation only when the gateways that it could not tell have forgotten the key', async () => {
      const key = await newKey();
      assert.deepEqual(await statusOf(`ApiKey ${key}`), [200, 200]);
      assert.equal((await revoke(key, cutOff)).status, 200);
      assert.deepEqual(await statusOf(`ApiKey ${key}`), [401, 401]);
    });
  });

  it('is 401 on every gateway from the moment a key expires', async () => {
    const expiresAt = Date.now() + 1_500;
    const key = await newKey({ expiresAt: new Date(expiresAt).toISOString() });
    assert.deepEqual(await statusOf(`ApiKey ${key}`), [200, 200]);
    for (;;) {
      const startedAt = Date.now();
      const statuses = await statusOf(`ApiKey ${key}`);
      if (startedAt < expiresAt) continue;
      assert.deepEqual(statuses, [401, 401]);
      break;
    }
  });

  it('is 401 on every row behind credentials, and on no public one', async () => {
    for (const { name, method, path, stack } of routeTable) {
      const statuses = await statusOf(null, path.replaceAll(/:\w+/g, 'x'), method);
      for (const status of statuses) assert.equal(status === 401, stack !== 'public', `${name} ${status}`);
    }
  });

  it('gives live and test keys of one organization two tenants', async () => {
    fakes.reset();
    const keys = [await newKey({ mode: 'live' }), await newKey({ mode: 'test' }), await newKey({ mode: 'test' })];
    for (const key of keys) await statusOf(`ApiKey ${key}`, '/v1/files');
    const tenants = fakes.callsOf(filesOperations.listFiles).map(({ context }) => context.tenantId);
    const [organization] = await query('select live_tenant_id as live, test_tenant_id as test from organizations');
    const { live, test } = organization as { live: string; test: string };
    assert.deepEqual(tenants, [live, live, test, test, test, test]);
  });

  it('refuses to start with a first key of another shape, in one clear message', async () => {
    const gateway = await GatewayProcess.spawn(surroundings, { KILN_API_KEY: 'secret-of-mine' });
    const code = await gateway.ended();
    assert.equal(code, 1);
    assert.match(gateway.errors, /KILN_API_KEY: must be kiln_live_ or kiln_test_ followed by 43/);
    assert.doesNotMatch(gateway.errors, /secret-of-mine/);
  });
});
