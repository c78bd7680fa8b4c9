// Remote engines and embeddings. The suite launches a system of its own, which is told of two engines for documents and one for
// embeddings, all on loopback.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, before, describe, it } from 'node:test';
import { pdfOf } from './support/documents.js';
import { EMBEDDING_DIMENSIONS, startEngine, type EngineServer } from './support/engines.js';
import { KilnClient } from './support/kiln-client.js';

const READ = '# What the engine read\n\nA brontosaurus on the first page.\fA stegosaurus on the second.';
const MARKDOWN = '# What the engine read\n\nA brontosaurus on the first page.\n\nA stegosaurus on the second.\n';

const OWN_KEY = 'own-key-of-the-organization';

interface TimelineEntry {
  step: string | null;
  provider: string | null;
  status: string;
  error: { code: string } | null;
}

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

describe('files that remote engines read', () => {
  let system: RunningSystem;
  let client: KilnClient;
  let first: EngineServer;
  let second: EngineServer;
  let models: EngineServer;
  before(async () => {
    [first, second, models] = await Promise.all([startEngine(READ), startEngine(READ), startEngine('')]);
    system = await startSystem({
      environment: {
        KILN_DOCUMENT_EXTRACTOR: `${first.url},${second.url}`,
        KILN_DOCUMENT_EXTRACTOR_KEY: 'managed-document-key',
        KILN_EMBEDDING_URL: `${models.url}/v1`,
        KILN_EMBEDDING_KEY: 'managed-embedding-key',
        KILN_EMBEDDING_MODEL: 'small',
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
  after(async () => {
    await system.stop();
    await Promise.all([first.close(), second.close(), models.close()]);
  });

  const uploaded = async (as: KilnClient = client) => (await as.upload('report.pdf', await pdfOf('Not this.'))).body;
  const embeddingsOf = async (fileId: string, as: KilnClient = client) => {
    const { status, body } = await as.get<{ content: string; content_type: string }>(
      `/v1/files/${fileId}/variants/embeddings`,
    );
    return { status, embeddings: status === 200 ? (JSON.parse(body.content) as Embeddings) : null };
  };

  it('come through whole although the first engine is down: markdown, pages, embeddings, search', async () => {
    first.refuse(503);
    const { id, job_id: jobId } = await uploaded();
    const job = await client.waitForJob(jobId);
    assert.deepEqual([job.status, job.attempts, job.error], ['completed', 1, null]);
    assert.equal(await client.markdown(id), MARKDOWN);

    const { embeddings } = await embeddingsOf(id);
    assert.deepEqual([embeddings?.model, embeddings?.dimensions], ['small', EMBEDDING_DIMENSIONS]);
    const [chunk] = embeddings?.chunks ?? [];
    assert.deepEqual(
      [chunk?.index, chunk?.text, chunk?.page, chunk?.heading_path],
      [0, MARKDOWN.slice(chunk?.start, chunk?.end), 1, ['What the engine read']],
    );
    assert.deepEqual(chunk?.embedding, [chunk?.text.length, 1, 0.5, -0.25]);

    const found = await client.search('stegosaurus', { mode: 'text' });
    assert.ok(found.results.some(({ file_id: fileId }) => fileId === id));
    assert.equal(second.asked[0]?.headers['x-api-key'], 'managed-document-key');
    assert.equal(models.asked[0]?.headers.authorization, 'Bearer managed-embedding-key');
  });

  it('show in the timeline of their job which engine was tried and why another took over', async () => {
    first.refuse(500);
    const { job_id: jobId } = await uploaded();
    await client.waitForJob(jobId);
    const { body } = await client.get<{ timeline: TimelineEntry[] }>(`/v1/jobs/${jobId}`);
    const extract = body.timeline.filter(({ step }) => step === 'extract');
    assert.deepEqual(
      extract.map(({ provider, status, error }) => [provider, status, error?.code ?? null]),
      [
        ['document_extractor', 'failed', 'provider_unavailable'],
        ['document_extractor (engine 2)', 'completed', null],
      ],
    );
    assert.ok(body.timeline.some(({ step, provider }) => step === 'embed' && provider === 'embedding'));
    assert.doesNotMatch(JSON.stringify(body), /127\.0\.0\.1|managed-/, 'neither addresses nor keys');
  });

  it("fail at once when the organization's own key is refused, and say that it was that key; without it they come through", async () => {
    const key = OWN_KEY;
    assert.equal(
      (await client.request('PUT', '/v1/org/provider-keys', { json: { provider: 'document_extractor', key } })).status,
      200,
    );
    first.refuse(401);
    const { job_id: jobId } = await uploaded();
    const job = await client.waitForJob(jobId);
    assert.deepEqual([job.status, job.attempts, job.error?.code], ['failed', 1, 'provider_unauthorized']);
    assert.match(job.error?.message ?? '', /your organization's own key \(provider key document_extractor\)/);
    assert.deepEqual(
      first.asked.map(({ headers }) => headers['x-api-key']),
      [key],
    );
    assert.equal(second.asked.length, 0, 'a refused key of its own sends nothing to the managed engines');

    assert.equal((await client.request('DELETE', '/v1/org/provider-keys/document_extractor')).status, 200);
    assert.equal((await client.post(`/v1/jobs/${jobId}/retry`, {})).status, 200);
    assert.equal((await client.waitForJob(jobId)).status, 'completed');
  });

  it("count for their pages, at 60 % where the organization's own key was used", async () => {
    const used = async () => (await client.get<{ pages_used: number }>('/v1/org/usage')).body.pages_used;
    const counted = async () => {
      const before = await used();
      assert.equal((await client.waitForJob((await uploaded()).job_id)).status, 'completed');
      return Number(((await used()) - before).toFixed(2));
    };
    assert.equal(await counted(), 2);
    const own = { provider: 'document_extractor', key: OWN_KEY };
    assert.equal((await client.request('PUT', '/v1/org/provider-keys', { json: own })).status, 200);
    assert.equal(await counted(), 1.2);
    assert.equal((await client.request('DELETE', '/v1/org/provider-keys/document_extractor')).status, 200);
    assert.equal(await counted(), 2);
  });

  it('of the test plane never reach a remote engine, and have no embeddings', async () => {
    const { body: made } = await client.post<{ key: string }>('/v1/org/api-keys', { name: 'test', mode: 'test' });
    const tester = await KilnClient.of(system.baseUrl, made.key);
    const pdf = await tester.waitForJob((await uploaded(tester)).job_id);
    assert.deepEqual([pdf.status, pdf.error?.code], ['failed', 'unsupported_type']);
    const { id, job_id: jobId } = (await tester.upload('notes.md', '# Notes')).body;
    assert.equal((await tester.waitForJob(jobId)).status, 'completed');
    assert.equal((await embeddingsOf(id, tester)).status, 404);
    assert.deepEqual([first.asked, second.asked, models.asked], [[], [], []]);
  });

  it('fail as provider_unavailable after three attempts while all engines are down, and come through when tried again later', async () => {
    first.refuse(500);
    second.refuse(500);
    const { id, job_id: jobId } = await uploaded();
    const job = await client.waitForJob(jobId, 120_000);
    assert.deepEqual([job.status, job.error?.code, job.error?.retryable], ['failed', 'provider_unavailable', true]);
    first.refuse(null);
    second.refuse(null);
    assert.equal((await client.post(`/v1/jobs/${jobId}/retry`, {})).status, 200);
    assert.equal((await client.waitForJob(jobId, 120_000)).status, 'completed');
    assert.equal(await client.markdown(id), MARKDOWN);
  });

  it('leave no key in any log, managed or an own one, refused or not', () => {
    const directory = join(system.dataDir, 'logs');
    const logs = readdirSync(directory);
    assert.ok(logs.some((name) => name.startsWith('jobs-worker')));
    for (const name of logs) {
      const text = readFileSync(join(directory, name), 'utf8');
      for (const key of ['managed-document-key', 'managed-embedding-key', OWN_KEY])
        assert.ok(!text.includes(key), `${name} holds ${key}`);
    }
  });
});
