// Real: Postgres, NATS, the object store, the sandbox, HTTP to a provider on loopback. Faked: the files and search services, as
// responders on the bus (see test/run-harness.ts).
import { filesOperations, searchOperations, sourceKey } from '@kiln/contracts';
import { embeddingOf, misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { RunPolicy } from '../../domain/run-policy.js';
import type { ClaimedJob } from '../../store/job.rows.js';
import type { JobRequest } from '../../store/job.store.js';
import { startJobs, type JobsHarness } from '../../test/jobs-harness.js';
import { startRuns, type RunHarness } from '../../test/run-harness.js';

interface EmbeddingsVariant {
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

const PARAGRAPH = 'A kiln fires clay at a thousand degrees, and holds the heat for hours. ';
const MARKDOWN = `# Kilns\n\n${PARAGRAPH.repeat(40)}\n\n## Glaze\n\n${PARAGRAPH.repeat(40)}\n`;
const KEY = 'sk-managed';

describe('the embeddings of a file', () => {
  let kiln: JobsHarness;
  let server: ProviderServer;
  const opened: RunHarness[] = [];
  before(async () => {
    kiln = await startJobs();
    server = await startProviderServer();
  });
  afterEach(async () => {
    server.reset();
    await Promise.all(opened.splice(0).map((runs) => runs.close()));
    await kiln.clear();
  });
  after(async () => {
    await server.close();
    await kiln.close();
  });

  const managed = () => ({
    KILN_EMBEDDING_URL: `${server.url}/v1`,
    KILN_EMBEDDING_KEY: KEY,
    KILN_EMBEDDING_MODEL: 'small,large',
    KILN_EMBEDDING_BATCH_INPUTS: '2',
  });
  async function open(environment: Record<string, string> = managed(), policy: Partial<RunPolicy> = {}) {
    const runs = await startRuns(kiln, { environment, policy });
    opened.push(runs);
    return runs;
  }
  async function claimed(runs: RunHarness, processing: JobRequest['processing'] = {}): Promise<ClaimedJob> {
    await kiln.add(uuidv7(), { processing });
    const { job } = await kiln.claimed();
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), MARKDOWN, { contentType: 'text/markdown' });
    return job;
  }
  async function nextRun(job: ClaimedJob): Promise<ClaimedJob> {
    const lease = { tenantId: job.tenant_id, jobId: job.id, fence: job.fence };
    await kiln.leases.release(lease, { error: null, counted: false, delaySeconds: 0 });
    return (await kiln.claimed()).job;
  }
  async function variantOf(runs: RunHarness): Promise<EmbeddingsVariant> {
    const variant = runs.committed.find(({ type }) => type === 'embeddings');
    assert.ok(variant, 'no embeddings were committed');
    const { sizeBytes, body } = await runs.objects.get(variant.content_key);
    assert.deepEqual([variant.content_type, variant.size_bytes], ['application/json', sizeBytes]);
    return JSON.parse(await text(body)) as EmbeddingsVariant;
  }
  const usageOf = async ({ tenant_id, id }: ClaimedJob) =>
    (await kiln.sql<{ usage: unknown }>('select usage from jobs where tenant_id = $1 and id = $2', [tenant_id, id]))[0]
      ?.usage;

  it('are a variant with every chunk: an exact slice, its headings, and the vector of its text', async () => {
    const runs = await open();
    const job = await claimed(runs);
    assert.deepEqual(await runs.run(job), ['markdown', 'metadata', 'embeddings', 'searchable-index']);
    const { model, dimensions, chunks } = await variantOf(runs);
    assert.deepEqual([model, dimensions], ['small', 8]);
    assert.ok(chunks.length > 4);
    for (const [position, { index, text, start, end, page, embedding }] of chunks.entries()) {
      assert.deepEqual([index, text, page], [position, MARKDOWN.slice(start, end), null]);
      assert.deepEqual(embedding, embeddingOf(text));
    }
    assert.deepEqual([chunks[0]?.heading_path, chunks.at(-1)?.heading_path], [['Kilns'], ['Kilns', 'Glaze']]);
    assert.ok(server.requests.every(({ json }) => (json['input'] as string[]).length <= 2));
    assert.ok(server.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`));
  });

  it('leave what they have used with the job, as the provider counted it', async () => {
    const runs = await open();
    const job = await claimed(runs);
    await runs.run(job);
    const { chunks } = await variantOf(runs);
    const tokens = chunks.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
    assert.deepEqual(await usageOf(job), {
      extraction: { key: 'managed', page_count: null, characters: MARKDOWN.length, duration_seconds: null },
      embedding: { key: 'managed', model: 'small', chunks: chunks.length, tokens },
    });
  });

  it('follow the request: its chunking, its model, its variants', async () => {
    const runs = await open();
    const chunking = { strategy: 'fixed' as const, chunk_size: 500, chunk_overlap: 0 };
    const job = await claimed(runs, { chunking, embedding_model: 'large', variants: ['embeddings'] });
    assert.deepEqual(await runs.run(job), ['embeddings']);
    const { model, chunks } = await variantOf(runs);
    assert.equal(model, 'large');
    assert.equal(chunks.length, Math.ceil(MARKDOWN.length / 500));
    assert.ok(server.requests.every(({ json }) => json['model'] === 'large'));
    server.reset();
    await runs.run(await claimed(runs, { variants: ['markdown'] }));
    assert.equal(server.requests.length, 0, 'nobody asks for vectors that nobody wants');
  });

  it('are not made, and nothing fails, without a provider or in the test plane', async () => {
    for (const runs of [
      await open({}),
      await open(managed(), { isTest: true, keyOf: () => Promise.resolve('sk-own') }),
    ]) {
      assert.deepEqual(await runs.run(await claimed(runs)), ['markdown', 'metadata', 'searchable-index']);
    }
    assert.equal(server.requests.length, 0);
  });

  it('of a model that nobody offers end the job in words that name those there are', async () => {
    const runs = await open();
    const job = await claimed(runs, { embedding_model: 'huge' });
    await assert.rejects(runs.run(job), {
      code: 'provider_unavailable',
      transient: false,
      message: /"huge" is not offered here. Use small or large/,
    });
  });

  it("are asked for with the organization's own key, with any model, and with no other key once it is refused", async () => {
    const runs = await open(managed(), { keyOf: (provider) => Promise.resolve(`sk-own-${provider}`) });
    const job = await claimed(runs, { embedding_model: 'huge' });
    await runs.run(job);
    assert.ok(server.requests.every(({ headers }) => headers.authorization === 'Bearer sk-own-embedding'));
    assert.equal((await variantOf(runs)).model, 'huge');
    assert.equal(((await usageOf(job)) as { embedding: { key: string } }).embedding.key, 'organization');
    server.always(misbehaviour.status(401));
    await assert.rejects(runs.run(await claimed(runs)), { code: 'provider_unauthorized', message: /own key/ });
    assert.ok(server.requests.every(({ headers }) => headers.authorization === 'Bearer sk-own-embedding'));
  });

  it('survive a provider that stumbles: a limit, a failure, a broken connection, vectors that make no sense', async () => {
    const runs = await open();
    server.next(
      misbehaviour.status(429, { 'retry-after-ms': '5' }),
      misbehaviour.status(500, { 'retry-after-ms': '5' }),
      misbehaviour.reset,
      misbehaviour.json({ data: [] }),
    );
    const job = await claimed(runs);
    assert.equal((await runs.run(job)).length, 4);
    assert.ok((await variantOf(runs)).chunks.every(({ text, embedding }) => embedding[0] === embeddingOf(text)[0]));
  });

  it('of a provider that stays away leave no variant; the next run makes them and reads the document only once', async () => {
    // One request, so that its tries do not open the circuit.
    const runs = await open({ ...managed(), KILN_EMBEDDING_BATCH_INPUTS: '100' });
    server.always(misbehaviour.status(503, { 'retry-after-ms': '1' }));
    const job = await claimed(runs);
    await assert.rejects(runs.run(job), { code: 'provider_unavailable', transient: true });
    assert.deepEqual(
      runs.committed.map(({ type }) => type),
      ['markdown', 'metadata'],
    );
    server.reset();
    const before = runs.extractions();
    assert.equal((await runs.run(await nextRun(job))).length, 4);
    assert.equal(runs.extractions(), before);
  });

  it('break off in the middle without a trace: half of them are nobody’s variant', async () => {
    const runs = await open();
    let answered = 0;
    server.always((response, request) => {
      if (answered++ < 3) return misbehaviour.json(wellEmbedded(request.json))(response, request);
      return misbehaviour.status(400)(response, request);
    });
    await assert.rejects(runs.run(await claimed(runs)), { name: 'ProviderError', statusCode: 400 });
    assert.ok(runs.committed.every(({ type }) => type !== 'embeddings'));
  });

  for (const operation of [filesOperations.commitVariant, searchOperations.indexFile]) {
    it(`are paid for once, though the run broke off at ${operation.subject} afterwards`, async () => {
      const runs = await open();
      const job = await claimed(runs, { variants: ['embeddings', 'searchable-index'] });
      runs.away.subject = operation.subject;
      await assert.rejects(runs.run(job), { code: 'UNAVAILABLE' });
      const asked = server.requests.length;
      assert.ok(asked > 0);
      runs.away.subject = null;
      assert.deepEqual(await runs.run(await nextRun(job)), ['embeddings', 'searchable-index']);
      assert.equal(server.requests.length, asked);
      assert.ok((await variantOf(runs)).chunks.length > 4);
    });
  }

  it('of a text without words are none, and still readable', async () => {
    const runs = await open();
    const job = await claimed(runs, { variants: ['embeddings'] });
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), ' \n', { contentType: 'text/markdown' });
    await runs.run(job);
    assert.deepEqual(await variantOf(runs), { model: 'small', dimensions: 0, chunks: [] });
  });

  it('stop with the run: once its lease is lost, nobody is asked any more', async () => {
    const runs = await open();
    const abort = new AbortController();
    server.always(() => abort.abort(new Error('lease lost')));
    await assert.rejects(runs.run(await claimed(runs), abort.signal), /lease lost|aborted/);
    assert.ok(server.requests.length <= 3);
    assert.ok(runs.committed.every(({ type }) => type !== 'embeddings'));
  });
});

function wellEmbedded(json: Record<string, unknown>) {
  const data = (json['input'] as string[]).map((input, index) => ({ index, embedding: embeddingOf(input) }));
  return { data, usage: { total_tokens: 1 } };
}
