// Settings of an organization over HTTP, and their effect on its files.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const JOB_MS = 120_000;

const defaults = {
  default_embedding_model: 'text-embedding-3-small',
  default_chunking: { strategy: 'recursive', chunk_size: 1000, chunk_overlap: 200 },
  default_variants: ['markdown', 'embeddings', 'metadata', 'searchable-index'],
  search_language: 'english',
  answer_instructions: null,
};

describe('the settings of an organization', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    // Other suites use the first organization with its defaults.
    client = await system.newClient();
  });
  afterAll(() => system.stop());

  const put = <Body = Record<string, unknown>>(path: string, json: unknown) =>
    client.request<Body>('PUT', path, { json });
  const get = async (path: string) => (await client.get(path)).body;
  async function variantsOf(fields: Record<string, string> = {}): Promise<string[]> {
    const { body } = await client.upload('note.md', '# Note\n\nSome words.', fields);
    expect((await client.waitForJob(body.job_id, JOB_MS)).status).toBe('completed');
    const { body: file } = await client.get<{ variants: { type: string }[] }>(`/v1/files/${body.id}`);
    return file.variants.map(({ type }) => type).sort();
  }

  it('start with the defaults, change field by field, and are the defaults of uploads', async () => {
    expect(await get('/v1/org/settings')).toStrictEqual(defaults);
    const changed = { ...defaults, default_variants: ['markdown'] };
    expect((await put('/v1/org/settings', { default_variants: ['markdown'], unknown: 1 })).body).toStrictEqual(changed);
    expect(await get('/v1/org/settings')).toStrictEqual(changed);
    expect(await variantsOf()).toStrictEqual(['markdown']);
    expect(await variantsOf({ variants: '["markdown","metadata"]' })).toStrictEqual(['markdown', 'metadata']);
    expect((await put('/v1/org/settings', { default_chunking: { chunk_size: 50 } })).status).toBe(400);
    expect((await put('/v1/org/settings', {})).body).toStrictEqual(changed);
    expect((await put('/v1/org/settings', { default_chunking: { chunk_size: 300 } })).body).toStrictEqual({
      ...changed,
      default_chunking: { strategy: 'recursive', chunk_size: 300, chunk_overlap: 150 },
    });
    const { default_chunking } = defaults;
    expect((await put('/v1/org/settings', { default_chunking })).body).toStrictEqual(changed);
  });

  it('routing rules select the provider, unless the request names one; a type has one rule', async () => {
    const rules = [{ content_type: 'text/csv', provider: 'audio_extractor' }];
    expect((await put('/v1/org/routing-rules', { rules })).body).toStrictEqual({ rules });
    expect(await get('/v1/org/routing-rules')).toStrictEqual({ rules });
    const providerOf = async (filename: string, fields: Record<string, string> = {}) => {
      const { body } = await client.upload(filename, 'a,b\n1,2\n', fields);
      return (await client.get<{ provider: string }>(`/v1/jobs/${body.job_id}`)).body.provider;
    };
    expect(await providerOf('a.csv')).toBe('audio_extractor');
    expect(await providerOf('a.txt')).toBe('document_extractor');
    expect(await providerOf('a.csv', { provider: 'document_extractor' })).toBe('document_extractor');
    const twice = await put<{ error: string }>('/v1/org/routing-rules', { rules: [...rules, ...rules] });
    expect(bodyOf(twice, 400).error).toMatch(/rules\[1\]/);
  });

  it('provider keys are listed without values, replaced, and removed once', async () => {
    const [first, second] = ['sk-first-key-aaaa', 'sk-second-key-bbbb'];
    const path = '/v1/org/provider-keys';
    const saved = await put(path, { provider: 'chat', key: first });
    expect([saved.status, saved.body['key_preview']]).toStrictEqual([200, '…aaaa']);
    expect((await put(path, { provider: 'chat', key: second })).body['key_preview']).toBe('…bbbb');
    const text = JSON.stringify(await get(path));
    expect(text).toContain('…bbbb');
    expect(text).not.toContain('…aaaa');
    expect(text).not.toContain('sk-');
    expect((await client.request('DELETE', `${path}/chat`)).status).toBe(200);
    expect((await client.request('DELETE', `${path}/chat`)).status).toBe(404);
    expect(await get(path)).toStrictEqual({ provider_keys: [] });
  });

  it('has engines for documents and images on the machine, and no speech engine or models that nobody has set up', async () => {
    const answer = bodyOf(await client.get('/v1/capabilities'), 200);
    expect(answer).toMatchObject({ documents: true, images: true, audio: false, reranking: false });
    expect((await client.request('GET', '/v1/capabilities', { anonymous: true })).status).toBe(401);
  });
});
