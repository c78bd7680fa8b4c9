// Real: two gateway processes, Postgres, NATS, Redis, object store. No service is asked.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf } from '@kiln/contracts';
import { GatewayPair } from '../test/gateway-pair.js';
import type { GatewayProcess } from '../test/gateway-process.js';
import { ApiKeyStore } from './api-key.store.js';

const KEYS = '/v1/org/api-keys';

describe('rows of API keys', () => {
  let pair: GatewayPair;
  beforeAll(async () => {
    pair = await GatewayPair.start();
  });
  afterAll(() => pair.stop());

  async function create(name: string, headers: Record<string, string> = {}) {
    const response = await pair.first.post(KEYS, { name }, headers);
    return { status: response.status, ...((await response.json()) as { id: string; key: string }) };
  }
  const as = (key: string) => ({ authorization: `ApiKey ${key}` });
  const statusWith = async (gateway: GatewayProcess, key: string) =>
    (await gateway.fetch('/v1/me', { headers: as(key) })).status;

  it('are made once under an Idempotency-Key whose answer was lost, with the value of the last answer', async () => {
    const key = { 'idempotency-key': 'a key' };
    const loseAnswers = () =>
      pair.query(`update idempotent_requests set answer = null, kept_until = null, lease_expires_at = now() - interval '1 s'
                  where route = 'createApiKey' and answer is not null`);
    const lost = await create('made once', key);
    await loseAnswers();
    const repeated = await create('made once', key);
    expect([lost.status, repeated.status, repeated.id]).toStrictEqual([201, 201, lost.id]);
    expect(await statusWith(pair.second, repeated.key)).toBe(200);
    expect(await statusWith(pair.second, lost.key)).toBe(401);
    await loseAnswers();
    const ofOther = await create('made once', { ...key, ...as((await pair.newKey()).value) });
    expect(ofOther.id).not.toBe(lost.id);
    await loseAnswers();
    await pair.first.fetch(`${KEYS}/${lost.id}`, { method: 'DELETE' });
    expect((await create('made once', key)).status).toBe(409);
  });

  it('are deleted 30 days after the keys have ended, with their portal tokens, but for the first key', async () => {
    const made = async (name: string, change: string) => {
      const { id, key } = await create(name);
      expect((await pair.first.post('/v1/portal/tokens', { space: name }, as(key))).status).toBe(201);
      await pair.query(`update api_keys set ${change} where id = $1`, [uuidOf('key', id)]);
      return uuidOf('key', id);
    };
    const ended = [
      await made('revoked-long-ago', `revoked_at = now() - interval '31 days'`),
      await made('expired-long-ago', `expires_at = now() - interval '31 days'`),
    ];
    const kept = [
      await made('revoked-lately', `revoked_at = now() - interval '29 days'`),
      await made('expired-lately', `expires_at = now() - interval '29 days'`),
    ];
    const [first] = await pair.query(`update api_keys set revoked_at = 'epoch' where of_operator returning id`);
    await new ApiKeyStore(pair.database).deleteEnded();
    const all = [[...ended, ...kept, first?.['id']]];
    const left = await pair.query('select id from api_keys where id = any($1::uuid[])', all);
    expect(new Set(left.map(({ id }) => id))).toStrictEqual(new Set([...kept, first?.['id']]));
    const tokens = await pair.query('select key_id from portal_tokens where key_id = any($1::uuid[])', all);
    expect(new Set(tokens.map(({ key_id }) => key_id))).toStrictEqual(new Set(kept));
  });
});
