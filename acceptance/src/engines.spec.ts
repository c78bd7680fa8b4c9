// Remote engines and embeddings. The suite launches its own system, with two engines for documents and one for embeddings on loopback.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pdfOf } from './support/documents.js';
import { EMBEDDING_DIMENSIONS, embeddingOf, startEngine, type EngineServer } from './support/engines.js';
import { inOneMonth } from './support/in-one-month.js';
import { KilnClient, type Job, type TimelineEntry } from './support/kiln-client.js';
import { newSpace } from './support/stored-files.js';

const READ = '# What the engine read\n\nA brontosaurus on the first page.\fA stegosaurus on the second.';
const MARKDOWN = '# What the engine read\n\nA brontosaurus on the first page.\n\nA stegosaurus on the second.\n';

const EXAMPLE = fileURLToPath(new URL('../../docs/examples/extractor.mjs', import.meta.url));
const OWN_KEY = 'own-key-of-the-organization';

interface Embeddings {
  model: string;
  dimensions: number;
  chunks: {
    index: number;
    text: string;
    start: number;
    end: number;
    page: number | null;
    heading_path: string[];
    embedding: number[];
  }[];
}

interface KeyTest {
  ok: boolean;
  error: { code: string } | null;
}

describe('files for remote engines', () => {
  let system: RunningSystem;
  let client: KilnClient;
  let first: EngineServer;
  let second: EngineServer;
  let models: EngineServer;
  beforeAll(async () => {
    [first, second, models] = await Promise.all([startEngine(READ), startEngine(READ), startEngine('')]);
    system = await startSystem({
      environment: {
        KILN_DOCUMENT_EXTRACTOR: `${first.url},${second.url}`,
        KILN_DOCUMENT_EXTRACTOR_KEY: 'managed-document-key',
        KILN_EMBEDDING_URL: `${models.url}/v1`,
        KILN_EMBEDDING_KEY: 'managed-embedding-key',
        KILN_EMBEDDING_MODEL: 'small',
        KILN_OUTBOUND_ALLOW: '127.0.0.1',
      },
    });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  });
  beforeEach(() => {
    for (const engine of [first, second, models]) {
      engine.refuse(null);
      engine.asked.length = 0;
    }
  });
  afterAll(async () => {
    await system.stop();
    await Promise.all([first.close(), second.close(), models.close()]);
  });

  const uploaded = async (as: KilnClient = client) => (await as.upload('report.pdf', await pdfOf('Not this.'))).body;
  const testOf = async (provider: string) => {
    const { status, body } = await client.post<KeyTest>(`/v1/org/provider-keys/${provider}/test`, {});
    return { status, ok: body.ok, code: body.error?.code ?? null };
  };
  const embeddingsOf = async (fileId: string, as: KilnClient = client) => {
    const { status, body } = await as.get<{ content: string; content_type: string }>(
      `/v1/files/${fileId}/variants/embeddings`,
    );
    return { status, embeddings: status === 200 ? (JSON.parse(body.content) as Embeddings) : null };
  };

  it('complete although the first engine is down: markdown, pages, embeddings, search', async () => {
    first.refuse(503);
    const { id, job_id: jobId } = await uploaded();
    const job = await client.waitForJob(jobId);
    expect([job.status, job.attempts, job.error]).toStrictEqual(['completed', 1, null]);
    expect(await client.markdown(id)).toBe(MARKDOWN);

    const { embeddings } = await embeddingsOf(id);
    expect([embeddings?.model, embeddings?.dimensions]).toStrictEqual(['small', EMBEDDING_DIMENSIONS]);
    const [chunk] = embeddings?.chunks ?? [];
    expect([chunk?.index, chunk?.text, chunk?.page, chunk?.heading_path]).toStrictEqual([
      0,
      MARKDOWN.slice(chunk?.start, chunk?.end),
      1,
      ['What the engine read'],
    ]);
    expect(chunk?.embedding).toStrictEqual(embeddingOf(chunk?.text ?? ''));

    const found = await client.search('stegosaurus', { mode: 'text' });
    expect(found.results.map(({ file_id: fileId }) => fileId)).toContain(id);
    expect(second.asked[0]?.headers['x-api-key']).toBe('managed-document-key');
    expect(models.asked[0]?.headers.authorization).toBe('Bearer managed-embedding-key');
  });

  it('show in the job’s timeline which engine was tried, and why another was used', async () => {
    first.refuse(500);
    const { job_id: jobId } = await uploaded();
    await client.waitForJob(jobId);
    const { body } = await client.get<{ timeline: TimelineEntry[] }>(`/v1/jobs/${jobId}`);
    const extract = body.timeline.filter(({ step }) => step === 'extract');
    expect(extract.map(({ provider, status, error }) => [provider, status, error?.code ?? null])).toStrictEqual([
      ['document_extractor', 'failed', 'provider_unavailable'],
      ['document_extractor (engine 2)', 'completed', null],
    ]);
    expect(body.timeline).toContainEqual(expect.objectContaining({ step: 'embed', provider: 'embedding' }));
    // Neither addresses nor keys.
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|managed-/);
  });

  it("fail at once if the organization's own key is rejected, and name that key; without the key they complete", async () => {
    const key = OWN_KEY;
    expect(
      (await client.request('PUT', '/v1/org/provider-keys', { json: { provider: 'document_extractor', key } })).status,
    ).toBe(200);
    first.refuse(401);
    const { job_id: jobId } = await uploaded();
    const job = await client.waitForJob(jobId);
    expect([job.status, job.attempts, job.error?.code]).toStrictEqual(['failed', 1, 'provider_unauthorized']);
    expect(job.error?.message ?? '').toMatch(/your organization's own key \(provider key document_extractor\)/);
    expect(first.asked.map(({ headers }) => headers['x-api-key'])).toStrictEqual([key]);
    // With a rejected own key, nothing is sent to the managed engines.
    expect(second.asked).toHaveLength(0);
    const refused = { status: 200, ok: false, code: 'provider_unauthorized' };
    expect(await testOf('document_extractor')).toStrictEqual(refused);

    expect((await client.request('DELETE', '/v1/org/provider-keys/document_extractor')).status).toBe(200);
    expect((await client.post(`/v1/jobs/${jobId}/retry`, {})).status).toBe(200);
    expect((await client.waitForJob(jobId)).status).toBe('completed');
  });

  it("count their pages, at 60 % if the organization's own key was used", async () => {
    const used = async () => (await client.get<{ pages_used: number }>('/v1/org/usage')).body.pages_used;
    const counts = (pages: number) =>
      inOneMonth(async () => {
        const before = await used();
        expect((await client.waitForJob((await uploaded()).job_id)).status).toBe('completed');
        expect((await used()) - before).toBeCloseTo(pages);
      });
    await counts(2);
    const own = { provider: 'document_extractor', key: OWN_KEY };
    expect((await client.request('PUT', '/v1/org/provider-keys', { json: own })).status).toBe(200);
    expect(await testOf('document_extractor')).toStrictEqual({ status: 200, ok: true, code: null });
    expect(first.asked.at(-1)?.headers['x-api-key']).toBe(OWN_KEY);
    await counts(1.2);
    expect((await client.request('DELETE', '/v1/org/provider-keys/document_extractor')).status).toBe(200);
    await counts(2);
    expect((await testOf('document_extractor')).status).toBe(404);
  });

  it("are read by the organization's own extractor, by the example of the documentation", async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const environment = { EXTRACTOR_SECRET: secret, PORT: '0' };
    const example = spawn(process.execPath, [EXAMPLE], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [line] = (await once(example.stdout, 'data')) as [Buffer];
      const url = `http://127.0.0.1:${/\d+/.exec(line.toString())?.[0]}/`;
      const own = { provider: 'document_extractor', key: secret, url };
      const saved = await client.request<object>('PUT', '/v1/org/provider-keys', { json: own });
      expect([saved.status, saved.body]).toMatchObject([200, { url, key_preview: `…${secret.slice(-4)}` }]);
      expect(JSON.stringify((await client.get<unknown>('/v1/org/provider-keys')).body)).not.toContain(secret);
      expect(await testOf('document_extractor')).toStrictEqual({ status: 200, ok: true, code: null });
      const { id, job_id: jobId } = (await client.upload('words.pdf', '%PDF-1.4 words')).body;
      const job = await client.waitForJob(jobId);
      expect([job.status, job.error, job.attempts]).toStrictEqual(['completed', null, 2]);
      expect(await client.markdown(id)).toBe('%PDF-1.4 words\n');
      expect([first.asked, second.asked]).toStrictEqual([[], []]);
    } finally {
      example.kill();
      await once(example, 'exit');
      await client.request('DELETE', '/v1/org/provider-keys/document_extractor');
    }
  });

  it('of a test tenant never reach a remote engine, and have no embeddings', async () => {
    const { body: made } = await client.post<{ key: string }>('/v1/org/api-keys', { name: 'test', mode: 'test' });
    const tester = await KilnClient.of(system.baseUrl, made.key);
    const pdf = await tester.waitForJob((await uploaded(tester)).job_id);
    expect([pdf.status, pdf.error?.code]).toStrictEqual(['failed', 'unsupported_type']);
    const { id, job_id: jobId } = (await tester.upload('notes.md', '# Notes')).body;
    expect((await tester.waitForJob(jobId)).status).toBe('completed');
    expect((await embeddingsOf(id, tester)).status).toBe(404);
    expect([first.asked, second.asked, models.asked]).toStrictEqual([[], [], []]);
  });

  it('fail as provider_unavailable after three attempts while all engines are down, and complete on a later retry', async () => {
    first.refuse(500);
    second.refuse(500);
    const { id, job_id: jobId } = await uploaded();
    const job = await client.waitForJob(jobId, 120_000);
    expect([job.status, job.error?.code, job.error?.retryable]).toStrictEqual(['failed', 'provider_unavailable', true]);
    first.refuse(null);
    second.refuse(null);
    expect((await client.post(`/v1/jobs/${jobId}/retry`, {})).status).toBe(200);
    expect((await client.waitForJob(jobId, 120_000)).status).toBe('completed');
    expect(await client.markdown(id)).toBe(MARKDOWN);
  });

  for (const [step, engineOf] of [
    ['extract', () => first],
    ['embed', () => models],
  ] as const) {
    it(`whose job is cancelled while it runs (${step}) show no later result of the run`, async () => {
      const release = engineOf().hold();
      const space = newSpace();
      const { id, job_id: jobId } = (await client.upload('report.pdf', await pdfOf('Not this.'), { space })).body;
      const jobOf = async () => (await client.get<Job>(`/v1/jobs/${jobId}`)).body;
      // Workers write progress once a second.
      await eventually(async () => expect(await jobOf()).toMatchObject({ status: 'processing', step }));
      await eventually(() => expect(engineOf().asked).toHaveLength(1));
      expect((await client.post(`/v1/jobs/${jobId}/cancel`, {})).status).toBe(200);
      const seen = async () => {
        const { status, variants } = (await client.get<{ status: string; variants: object[] }>(`/v1/files/${id}`)).body;
        return { status, variants, found: (await client.search('stegosaurus', { space, mode: 'text' })).total };
      };
      const atOnce = await seen();
      expect(atOnce).toMatchObject({ status: 'uploaded', found: 0 });
      release();
      // What remains of the run, if it went on, takes no longer than a whole run.
      expect((await client.waitForJob((await uploaded()).job_id)).status).toBe('completed');
      expect(await seen()).toStrictEqual(atOnce);
      const { status, error, timeline } = await jobOf();
      expect([status, error]).toStrictEqual(['cancelled', null]);
      expect(timeline.at(-1)).toMatchObject({ step, status: 'cancelled' });
    });
  }

  const idsOf = ({ results }: Awaited<ReturnType<KilnClient['search']>>) => results.map(({ file_id: id }) => id);
  async function noted(text: string): Promise<string> {
    const { id, job_id: jobId } = (await client.upload('note.md', text)).body;
    expect((await client.waitForJob(jobId)).status).toBe('completed');
    return id;
  }

  it('are found by their meaning as soon as they are completed, and no longer once they are deleted', async () => {
    const clay = await noted('Clay hardens in a kiln.');
    const bank = await noted('Reeds grow by the river.');
    const byVector = await client.search('a furnace', { mode: 'vector', limit: 1 });
    expect([byVector.mode, idsOf(byVector)]).toStrictEqual(['vector', [clay]]);
    expect(byVector.results[0]?.score).toBeCloseTo(1, 6);
    expect(byVector.results[0]?.chunk_text).toBe('Clay hardens in a kiln.');
    // No file has the word.
    const hybrid = await client.search('stream');
    expect([hybrid.mode, idsOf(hybrid)[0]]).toStrictEqual(['hybrid', bank]);
    expect((await client.request('DELETE', `/v1/files/${clay}`)).status).toBe(200);
    expect(idsOf(await client.search('a furnace', { mode: 'vector' }))).not.toContain(clay);
    expect(idsOf(await client.search('a furnace'))).not.toContain(clay);
  });

  it("are searched with the organization's own key, by text while the provider fails, and never by vector in test mode", async () => {
    const own = { provider: 'embedding', key: OWN_KEY };
    expect((await client.request('PUT', '/v1/org/provider-keys', { json: own })).status).toBe(200);
    expect(await testOf('embedding')).toStrictEqual({ status: 200, ok: true, code: null });
    expect(models.asked[0]?.headers.authorization).toBe(`Bearer ${OWN_KEY}`);
    // A process may use the former key for ten seconds.
    let searches = 0;
    const withOwnKey = async () => {
      models.asked.length = 0;
      await client.search(`oven ${searches++}`, { mode: 'vector' });
      expect(models.asked[0]?.headers.authorization).toBe(`Bearer ${OWN_KEY}`);
    };
    await eventually(withOwnKey);
    expect((await client.request('DELETE', '/v1/org/provider-keys/embedding')).status).toBe(200);
    models.refuse(503);
    expect((await client.search('reeds at the water')).mode).toBe('text');
    const refused = await client.post<{ error: { code: string } }>('/v1/search', {
      query: 'water now',
      mode: 'vector',
    });
    expect(refused.status).toBe(503);
    const { body: made } = await client.post<{ key: string }>('/v1/org/api-keys', { name: 'test', mode: 'test' });
    const tester = await KilnClient.of(system.baseUrl, made.key);
    const inTest = await tester.post<unknown>('/v1/search', { query: 'water', mode: 'vector' });
    expect([inTest.status, JSON.stringify(inTest.body)]).toStrictEqual([
      400,
      expect.stringContaining('KILN_EMBEDDING_URL'),
    ]);
  });

  it('write no key to any log, managed or own, accepted or rejected', () => {
    const directory = join(system.dataDir, 'logs');
    const logs = readdirSync(directory);
    expect(logs).toContainEqual(expect.stringMatching(/^jobs-worker/));
    const telling = logs.filter((name) => {
      const text = readFileSync(join(directory, name), 'utf8');
      return ['managed-document-key', 'managed-embedding-key', OWN_KEY].some((key) => text.includes(key));
    });
    expect(telling).toStrictEqual([]);
  });
});
