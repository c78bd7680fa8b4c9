// Real: a gateway process, Postgres, NATS, Redis, object store. FAKES: the services (see test/fake-services.ts).
import { jobsOperations, type Operation } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { GatewayPair } from '../test/gateway-pair.js';

type Body = Record<string, unknown>;

describe('what belongs to the organization', () => {
  let pair: GatewayPair;
  let live: string;
  let test: string;
  let tenants: { live: string; test: string } | null;
  before(async () => {
    pair = await GatewayPair.start();
    live = (await pair.newKey()).value;
    test = (await pair.newKey({ mode: 'test' })).value;
    tenants = await pair.organizations.findTenants(await pair.firstOrganizationId());
  });
  beforeEach(() => pair.fakes.reset());
  after(() => pair.stop());

  async function ask(method: string, path: string, { key = live, body }: { key?: string; body?: unknown } = {}) {
    const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await pair.first.fetch(path, init);
    return { status: response.status, body: (await response.json()) as Body };
  }
  const tenantsAsked = (operation: Operation) => pair.fakes.callsOf(operation).map(({ context }) => context.tenantId);

  it('is asked for in the name of the live plane, by test keys as well', async () => {
    for (const key of [live, test]) {
      assert.equal((await ask('GET', '/v1/org/routing-rules', { key })).status, 200);
      assert.equal((await ask('GET', '/v1/org/provider-keys', { key })).status, 200);
    }
    assert.ok(tenants && tenants.live !== tenants.test);
    for (const operation of [jobsOperations.getRoutingRules, jobsOperations.listProviderKeys]) {
      assert.deepEqual(tenantsAsked(operation), [tenants.live, tenants.live]);
    }
  });

  it('settings: each field obeys the rules of the upload field it stands in for; what is unknown is left out', async () => {
    const put = (body: unknown) => ask('PUT', '/v1/org/settings', { body });
    const wrong: [unknown, RegExp][] = [
      [{ default_chunking: { chunk_size: 99 } }, /default_chunking\.chunk_size/],
      [{ default_chunking: { chunk_size: 300 } }, /default_chunking\.chunk_overlap: must be at most half/],
      [{ default_chunking: { strategy: 'words' } }, /default_chunking\.strategy/],
      [{ default_chunking: null }, /default_chunking/],
      [{ default_variants: ['pdf'] }, /default_variants\[0\]/],
      [{ default_variants: [] }, /default_variants/],
      [{ default_embedding_model: '' }, /default_embedding_model/],
      [[], /object/],
    ];
    for (const [body, message] of wrong) {
      const { status, body: answer } = await put(body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(String(answer['error']), message);
    }
    assert.equal(pair.fakes.callsOf(jobsOperations.updateSettings).length, 0);
    assert.equal((await put({ default_embedding_model: 'large', color: 'red' })).status, 200);
    const [call] = pair.fakes.callsOf(jobsOperations.updateSettings);
    assert.deepEqual([call?.input, call?.context.tenantId], [{ default_embedding_model: 'large' }, tenants?.live]);
  });

  it('routing rules: a type that has two rules, an impossible one, and too many are 400 that names the place', async () => {
    const rule = (content_type: unknown, provider: unknown = 'image_extractor') => ({ content_type, provider });
    const put = async (rules: unknown) => {
      const { status, body } = await ask('PUT', '/v1/org/routing-rules', { body: { rules } });
      assert.equal(status, 400, JSON.stringify(rules));
      return String(body['error']);
    };
    assert.match(
      await put([rule('image/*'), rule('a/b'), rule('IMAGE/*', 'audio_extractor')]),
      /^rules\[2\]\.content_type: .*rules\[0\]/,
    );
    for (const type of ['image', '*', '*/png', 'image/*png', 'image/**', 'a/b; q=1', 'a b/c', '', 7, null]) {
      assert.match(await put([rule('a/b'), rule(type)]), /^rules\[1\]\.content_type: /, String(type));
    }
    assert.match(await put([rule('a/b', 'magic')]), /^rules\[0\]\.provider: /);
    assert.match(await put(Array.from({ length: 101 }, (_, at) => rule(`a/${at}`))), /^rules: .*100/);
    assert.match(await put('all'), /^rules: /);
    assert.equal(pair.fakes.callsOf(jobsOperations.setRoutingRules).length, 0);
  });

  it('routing rules: exact types and wildcards are taken, in lower case, with what is unknown left out', async () => {
    const rules = [
      { content_type: 'Image/*', provider: 'image_extractor', note: 'x' },
      { content_type: '*/*', provider: 'document_extractor' },
      { content_type: 'application/vnd.*', provider: 'document_extractor' },
    ];
    const { status, body } = await ask('PUT', '/v1/org/routing-rules', { body: { rules, other: 1 } });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      rules: [{ content_type: 'image/*', provider: 'image_extractor' }, ...rules.slice(1)],
    });
    assert.equal((await ask('PUT', '/v1/org/routing-rules', { body: { rules: [] } })).status, 200);
  });

  it('provider keys: only the end of a key is answered, and neither an answer nor a log line holds it', async () => {
    const secret = 'sk-never-to-be-seen-9f3c';
    const { status, body } = await ask('PUT', '/v1/org/provider-keys', {
      body: { provider: 'embedding', key: secret },
    });
    assert.equal(status, 200);
    assert.equal(body['key_preview'], '…9f3c');
    for (const wrong of [
      { provider: 'embeddings', key: secret },
      { provider: 'chat', key: `${secret} ` },
      { key: secret },
    ]) {
      const refused = await ask('PUT', '/v1/org/provider-keys', { body: wrong });
      assert.equal(refused.status, 400);
      assert.ok(!JSON.stringify(refused.body).includes('never-to-be-seen'));
    }
    for (const gateway of pair.gateways) assert.ok(!JSON.stringify(gateway.logs).includes('never-to-be-seen'));
  });

  it('provider keys: removing one that is not set, or of a provider there is not, is 404', async () => {
    for (const provider of ['chat', 'magic', '%2e%2e']) {
      assert.equal((await ask('DELETE', `/v1/org/provider-keys/${provider}`)).status, 404, provider);
    }
  });
});
