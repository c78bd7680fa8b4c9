// What an organization sets for its work, over HTTP only, and what its files then become.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { KilnClient } from './support/kiln-client.js';
import { newKey, newOrganization } from './support/operator.config.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const JOB_MS = 120_000;

const defaults = {
  default_embedding_model: 'text-embedding-3-small',
  default_chunking: { strategy: 'recursive', chunk_size: 1000, chunk_overlap: 200 },
  default_variants: ['markdown', 'embeddings', 'metadata', 'searchable-index'],
};

describe('what an organization sets', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  before(async () => {
    system = await systemUnderTest();
    // Other suites work with the first one, and with its defaults.
    const organizationId = await newOrganization(system.dataDir, 'enterprise');
    client = await KilnClient.of(system.client.baseUrl, await newKey(system.dataDir, organizationId));
  });
  after(() => system.stop());

  const put = <Body = Record<string, unknown>>(path: string, json: unknown) =>
    client.request<Body>('PUT', path, { json });
  const get = async (path: string) => (await client.get(path)).body;
  async function variantsOf(fields: Record<string, string> = {}): Promise<string[]> {
    const { body } = await client.upload('note.md', '# Note\n\nSome words.', fields);
    assert.equal((await client.waitForJob(body.job_id, JOB_MS)).status, 'completed');
    const { body: file } = await client.get<{ variants: { type: string }[] }>(`/v1/files/${body.id}`);
    return file.variants.map(({ type }) => type).sort();
  }

  it('settings begin with the defaults, change field by field, and fill what an upload leaves open', async () => {
    assert.deepEqual(await get('/v1/org/settings'), defaults);
    const changed = { ...defaults, default_variants: ['markdown'] };
    assert.deepEqual((await put('/v1/org/settings', { default_variants: ['markdown'], unknown: 1 })).body, changed);
    assert.deepEqual(await get('/v1/org/settings'), changed);
    assert.deepEqual(await variantsOf(), ['markdown']);
    assert.deepEqual(await variantsOf({ variants: '["markdown","metadata"]' }), ['markdown', 'metadata']);
    assert.equal((await put('/v1/org/settings', { default_chunking: { chunk_size: 50 } })).status, 400);
    assert.deepEqual((await put('/v1/org/settings', {})).body, changed);
  });

  it('routing rules send files where they say, after what the request says; a type has one rule', async () => {
    const rules = [{ content_type: 'text/csv', provider: 'audio_extractor' }];
    assert.deepEqual((await put('/v1/org/routing-rules', { rules })).body, { rules });
    assert.deepEqual(await get('/v1/org/routing-rules'), { rules });
    const providerOf = async (filename: string, fields: Record<string, string> = {}) => {
      const { body } = await client.upload(filename, 'a,b\n1,2\n', fields);
      return (await client.get<{ provider: string }>(`/v1/jobs/${body.job_id}`)).body.provider;
    };
    assert.equal(await providerOf('a.csv'), 'audio_extractor');
    assert.equal(await providerOf('a.txt'), 'document_extractor');
    assert.equal(await providerOf('a.csv', { provider: 'document_extractor' }), 'document_extractor');
    const twice = await put<{ error: string }>('/v1/org/routing-rules', { rules: [...rules, ...rules] });
    assert.deepEqual([twice.status, /rules\[1\]/.test(twice.body.error)], [400, true]);
  });

  it('provider keys are listed without their values, replaced, and removed once', async () => {
    const [first, second] = ['sk-first-key-aaaa', 'sk-second-key-bbbb'];
    const path = '/v1/org/provider-keys';
    const saved = await put(path, { provider: 'chat', key: first });
    assert.deepEqual([saved.status, saved.body['key_preview']], [200, '…aaaa']);
    assert.equal((await put(path, { provider: 'chat', key: second })).body['key_preview'], '…bbbb');
    const text = JSON.stringify(await get(path));
    assert.ok(text.includes('…bbbb') && !text.includes('…aaaa') && !text.includes('sk-'));
    assert.equal((await client.request('DELETE', `${path}/chat`)).status, 200);
    assert.equal((await client.request('DELETE', `${path}/chat`)).status, 404);
    assert.deepEqual(await get(path), { provider_keys: [] });
  });
});
