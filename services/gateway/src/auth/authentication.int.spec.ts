// Real: two gateway processes at once, Postgres, NATS, Redis, object store. FAKES: the files service (a responder on the real
// bus, see test/fake-services.ts).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, filesOperations, type Scope } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { routeTable } from '../routes/table.routes.js';
import { startFakes, type FakeServices } from '../test/fake-services.js';
import {
  GatewayProcess,
  TEST_KEY,
  openDatabase,
  testSurroundings,
  type TestSurroundings,
} from '../test/gateway-process.js';
import { fingerprintOf } from '../keys/api-key.domain.js';

describe('authentication', () => {
  let surroundings: TestSurroundings;
  let fakes: FakeServices;
  let gateways: GatewayProcess[] = [];
  let database: Database;

  beforeAll(async () => {
    surroundings = await testSurroundings();
    fakes = await startFakes(surroundings);
    database = await openDatabase(surroundings);
    gateways = await Promise.all([GatewayProcess.start(surroundings), GatewayProcess.start(surroundings)]);
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await fakes.stop();
    await database.close();
    await surroundings.close();
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
    const answer = await fetch(`${gateway?.url}/v1/org/api-keys/${id}`, { method: 'DELETE', headers });
    await answer.arrayBuffer();
    return answer;
  }

  async function statusOf(authorization: string | null, path = '/v1/me', method = 'GET'): Promise<number[]> {
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    const answers = await Promise.all(gateways.map((gateway) => fetch(`${gateway.url}${path}`, { method, headers })));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    return answers.map(({ status }) => status);
  }

  it('makes one organization and one key although two gateways started at once', async () => {
    expect(await query('select plan, count(*)::int as made from organizations group by plan')).toStrictEqual([
      { plan: 'enterprise', made: 1 },
    ]);
    const keys = await query('select prefix, scopes, mode from api_keys');
    expect(keys).toStrictEqual([{ prefix: TEST_KEY.slice(0, 14), scopes: ['*'], mode: 'live' }]);
    expect(await statusOf(`ApiKey ${TEST_KEY}`)).toStrictEqual([200, 200]);
  });

  it('adds a changed first key beside the old one', async () => {
    const changed = `kiln_test_${'b'.repeat(43)}`;
    const gateway = await GatewayProcess.start(surroundings, { KILN_API_KEY: changed });
    await gateway.stop();
    expect(await statusOf(`ApiKey ${changed}`)).toStrictEqual([200, 200]);
    expect(await statusOf(`ApiKey ${TEST_KEY}`)).toStrictEqual([200, 200]);
    expect(await query('select 1 from organizations')).toHaveLength(1);
  });

  const unknown = `kiln_live_${'z'.repeat(43)}`;
  it.each([null, '', TEST_KEY, `Bearer ${TEST_KEY}`, 'ApiKey', 'ApiKey x', `ApiKey ${unknown}`])(
    'is 401 without a header, with another scheme, and with keys that are malformed or unknown: %j',
    async (header) => {
      expect(await statusOf(header)).toStrictEqual([401, 401]);
    },
  );

  it('is 401 in the usual shape of an error', async () => {
    const response = await fetch(`${gateways[0]?.url}/v1/me`);
    const body = (await response.json()) as Record<string, unknown>;
    expect(body['code']).toBe('UNAUTHORIZED');
    expect(body['requestId']).toBe(response.headers.get('x-request-id'));
  });

  it('is 401 on every gateway from the moment a key is revoked', async () => {
    for (let time = 0; time < 20; time++) {
      const key = await newKey();
      expect(await statusOf(`ApiKey ${key}`)).toStrictEqual([200, 200]);
      expect((await revoke(key)).status).toBe(200);
      expect(await statusOf(`ApiKey ${key}`)).toStrictEqual([401, 401]);
    }
  });

  it('lets no request in with a key whose revocation was answered, however many run beside it', async () => {
    const key = await newKey();
    let isRevoked = false;
    let accepted = 0;
    const askedAfterwards: number[] = [];
    const ask = async () => {
      for (let after = 0; after < 20;) {
        const isAfter = isRevoked;
        const statuses = await statusOf(`ApiKey ${key}`);
        if (isAfter) askedAfterwards.push(...statuses);
        if (isAfter) after++;
        else accepted++;
      }
    };
    const asking = Promise.all(Array.from({ length: 4 }, ask));
    await eventually(() => expect(accepted).toBeGreaterThan(20));
    expect((await revoke(key)).status).toBe(200);
    isRevoked = true;
    await asking;
    expect(new Set(askedAfterwards)).toStrictEqual(new Set([401]));
  });

  describe('with a gateway that cannot reach Redis', () => {
    let cutOff: GatewayProcess;
    beforeAll(async () => {
      cutOff = await GatewayProcess.start(surroundings, { REDIS_URL: 'redis://127.0.0.1:1' });
    });
    afterAll(() => cutOff.stop());

    const statusOn = async ({ url }: GatewayProcess, key: string) => {
      const answer = await fetch(`${url}/v1/me`, { headers: { authorization: `ApiKey ${key}` } });
      await answer.arrayBuffer();
      return answer.status;
    };

    it('asks the database for each request, so that a key revoked elsewhere ends at once', async () => {
      const key = await newKey();
      expect(await statusOn(cutOff, key)).toBe(200);
      expect((await revoke(key)).status).toBe(200);
      expect(await statusOn(cutOff, key)).toBe(401);
    });

    it('answers a revocation that could not be marked in Redis only after the key has left every cache', async () => {
      const key = await newKey();
      expect(await statusOf(`ApiKey ${key}`)).toStrictEqual([200, 200]);
      expect((await revoke(key, cutOff)).status).toBe(200);
      expect(await statusOf(`ApiKey ${key}`)).toStrictEqual([401, 401]);
    });
  });

  it('is 401 on every gateway from the moment a key expires', async () => {
    /** How often a key was accepted before it expired. A key of 1.5 s may expire before a busy machine asks. */
    const acceptedFor = async (lifetimeMs: number) => {
      const expiresAt = Date.now() + lifetimeMs;
      const key = await newKey({ expiresAt: new Date(expiresAt).toISOString() });
      for (let accepted = 0; ; accepted++) {
        const startedAt = Date.now();
        const statuses = await statusOf(`ApiKey ${key}`);
        // A fast machine sends requests faster than the key permits.
        if (Date.now() < expiresAt) expect([200, 429]).toEqual(expect.arrayContaining(statuses));
        if (startedAt < expiresAt) continue;
        expect(statuses).toStrictEqual([401, 401]);
        return accepted;
      }
    };
    for (let lifetimeMs = 1_500; (await acceptedFor(lifetimeMs)) === 0; lifetimeMs *= 2);
  });

  it('is 401 on every row behind credentials, and on no public one', async () => {
    const wrong: { name: string; statuses: number[] }[] = [];
    for (const { name, method, path, stack } of routeTable) {
      const statuses = await statusOf(null, path.replaceAll(/:\w+/g, 'x'), method);
      const wanted = (status: number) => (status === 401) === (stack !== 'public');
      if (!statuses.every(wanted)) wrong.push({ name, statuses });
    }
    expect(wrong).toStrictEqual([]);
  });

  it('gives live and test keys of one organization two tenants', async () => {
    fakes.reset();
    const keys = [await newKey({ mode: 'live' }), await newKey({ mode: 'test' }), await newKey({ mode: 'test' })];
    for (const key of keys) await statusOf(`ApiKey ${key}`, '/v1/files');
    const tenants = fakes.callsOf(filesOperations.listFiles).map(({ context }) => context.tenantId);
    const [organization] = await query('select live_tenant_id as live, test_tenant_id as test from organizations');
    const { live, test } = organization as { live: string; test: string };
    expect(tenants).toStrictEqual([live, live, test, test, test, test]);
  });

  it('refuses to start with a first key of another shape, in one clear message', async () => {
    const gateway = await GatewayProcess.spawn(surroundings, { KILN_API_KEY: 'secret-of-mine' });
    const code = await gateway.ended();
    expect(code).toBe(1);
    expect(gateway.errors).toMatch(/KILN_API_KEY must be kiln_live_ or kiln_test_ followed by 43/);
    expect(gateway.errors).not.toMatch(/secret-of-mine/);
  });
});
