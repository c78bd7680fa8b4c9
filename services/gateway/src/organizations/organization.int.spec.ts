// Real: a gateway process, Postgres, NATS, Redis, object store. FAKES: the services (see test/fake-services.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jobsOperations, type Operation } from '@kiln/contracts';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { routeTable } from '../routes/table.routes.js';
import { GatewayWithKeys } from '../test/gateway-with-keys.js';

type Body = Record<string, unknown>;

describe('what belongs to the organization', () => {
  let served: GatewayWithKeys;
  let live: string;
  let test: string;
  let tenants: { live: string; test: string } | null;
  beforeAll(async () => {
    served = await GatewayWithKeys.start();
    live = (await served.newKey()).value;
    test = (await served.newKey({ mode: 'test' })).value;
    tenants = await served.organizations.findTenants(await served.firstOrganizationId());
  });
  beforeEach(() => served.fakes.reset());
  afterAll(() => served.stop());

  async function ask(method: string, path: string, { key = live, body }: { key?: string; body?: unknown } = {}) {
    const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await served.first.fetch(path, init);
    return { status: response.status, body: (await response.json()) as Body };
  }
  const tenantsAsked = (operation: Operation) => served.fakes.callsOf(operation).map(({ context }) => context.tenantId);

  it('is asked for in the name of the live tenant, by test keys as well', async () => {
    for (const key of [live, test]) {
      expect((await ask('GET', '/v1/org/routing-rules', { key })).status).toBe(200);
      expect((await ask('GET', '/v1/org/provider-keys', { key })).status).toBe(200);
    }
    if (!tenants) throw new Error('there is no organization');
    expect(tenants.test).not.toBe(tenants.live);
    for (const operation of [jobsOperations.getRoutingRules, jobsOperations.listProviderKeys]) {
      expect(tenantsAsked(operation)).toStrictEqual([tenants.live, tenants.live]);
    }
  });

  it('may be read by a test key and changed by none, since live data uses it: 403, and no service is asked', async () => {
    const rows = routeTable.filter((route) => route.stack === 'key' && route.path.startsWith('/v1/org/'));
    const refused: string[] = [];
    for (const { name, method, path, example } of rows.filter((row) => !row.path.startsWith('/v1/org/api-keys'))) {
      const body = method === 'PUT' ? { body: example.request } : {};
      const { status } = await ask(method, path.replace(':provider', 'document_extractor'), { key: test, ...body });
      if (status === 403) refused.push(name);
      else expect([method, status]).toStrictEqual(['GET', 200]);
    }
    expect(refused.toSorted()).toStrictEqual([
      'deleteProviderKey',
      'setProviderKey',
      'setRoutingRules',
      'testProviderKey',
      'updateBranding',
      'updatePortalSettings',
      'updateSettings',
    ]);
    const { setProviderKey, deleteProviderKey, updateSettings, setRoutingRules } = jobsOperations;
    for (const operation of [setProviderKey, deleteProviderKey, updateSettings, setRoutingRules]) {
      expect(served.fakes.callsOf(operation)).toHaveLength(0);
    }
  });

  it('settings: each field obeys the rules of the upload field it stands in for; what is unknown is left out', async () => {
    const put = (body: unknown) => ask('PUT', '/v1/org/settings', { body });
    const wrong: [unknown, RegExp][] = [
      [{ default_chunking: { chunk_size: 99 } }, /default_chunking\.chunk_size/],
      [
        { default_chunking: { chunk_size: 300, chunk_overlap: 151 } },
        /default_chunking\.chunk_overlap must be at most half/,
      ],
      [{ default_chunking: { strategy: 'words' } }, /default_chunking\.strategy/],
      [{ default_chunking: null }, /default_chunking/],
      [{ default_variants: ['pdf'] }, /default_variants\[0\]/],
      [{ default_variants: [] }, /default_variants/],
      [{ default_embedding_model: '' }, /default_embedding_model/],
      [{ search_language: 'klingon' }, /search_language/],
      [{ answer_instructions: ' ' }, /answer_instructions/],
      [{ answer_instructions: 'x'.repeat(2_001) }, /answer_instructions/],
      [[], /object/],
    ];
    for (const [body, message] of wrong) {
      const answer = await put(body);
      assertStatus(answer, 400, JSON.stringify(body));
      expect(String(answer.body['error'])).toMatch(message);
    }
    expect(served.fakes.callsOf(jobsOperations.updateSettings)).toHaveLength(0);
    expect((await put({ default_embedding_model: 'large', color: 'red' })).status).toBe(200);
    const [call] = served.fakes.callsOf(jobsOperations.updateSettings);
    expect([call?.input, call?.context.tenantId]).toStrictEqual([{ default_embedding_model: 'large' }, tenants?.live]);
  });

  it('routing rules: a type that has two rules, an impossible one, and too many are 400 that names the place', async () => {
    const rule = (content_type: unknown, provider: unknown = 'image_extractor') => ({ content_type, provider });
    const put = async (rules: unknown) => {
      const answer = await ask('PUT', '/v1/org/routing-rules', { body: { rules } });
      assertStatus(answer, 400, JSON.stringify(rules));
      return String(answer.body['error']);
    };
    expect(await put([rule('image/*'), rule('a/b'), rule('IMAGE/*', 'audio_extractor')])).toMatch(
      /^rules\[2\]\.content_type .*rules\[0\]/,
    );
    for (const type of ['image', '*', '*/png', 'image/*png', 'image/**', 'a/b; q=1', 'a b/c', '', 7, null]) {
      expect(await put([rule('a/b'), rule(type)])).toMatch(/^rules\[1\]\.content_type /);
    }
    expect(await put([rule('a/b', 'magic')])).toMatch(/^rules\[0\]\.provider /);
    expect(await put(Array.from({ length: 101 }, (_, at) => rule(`a/${at}`)))).toMatch(/^rules .*100/);
    expect(await put('all')).toMatch(/^rules /);
    expect(served.fakes.callsOf(jobsOperations.setRoutingRules)).toHaveLength(0);
  });

  it('routing rules: exact types and wildcards are taken, in lower case, with what is unknown left out', async () => {
    const rules = [
      { content_type: 'Image/*', provider: 'image_extractor', note: 'x' },
      { content_type: '*/*', provider: 'document_extractor' },
      { content_type: 'application/vnd.*', provider: 'document_extractor' },
    ];
    const { status, body } = await ask('PUT', '/v1/org/routing-rules', { body: { rules, other: 1 } });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      rules: [{ content_type: 'image/*', provider: 'image_extractor' }, ...rules.slice(1)],
    });
    expect((await ask('PUT', '/v1/org/routing-rules', { body: { rules: [] } })).status).toBe(200);
  });

  it('provider keys: only the end of a key is answered, and neither an answer nor a log line holds it', async () => {
    const secret = 'sk-never-to-be-seen-9f3c';
    const { status, body } = await ask('PUT', '/v1/org/provider-keys', {
      body: { provider: 'embedding', key: secret },
    });
    expect(status).toBe(200);
    expect(body['key_preview']).toBe('…9f3c');
    for (const wrong of [
      { provider: 'embeddings', key: secret },
      { provider: 'chat', key: `${secret} ` },
      { key: secret },
    ]) {
      const refused = await ask('PUT', '/v1/org/provider-keys', { body: wrong });
      expect(refused.status).toBe(400);
      expect(JSON.stringify(refused.body)).not.toContain('never-to-be-seen');
    }
    expect(JSON.stringify(served.first.logs)).not.toContain('never-to-be-seen');
  });

  it('provider keys: removing one that is not set, or of a provider there is not, is 404', async () => {
    for (const provider of ['chat', 'magic', '%2e%2e']) {
      assertStatus(await ask('DELETE', `/v1/org/provider-keys/${provider}`), 404, provider);
    }
  });
});
