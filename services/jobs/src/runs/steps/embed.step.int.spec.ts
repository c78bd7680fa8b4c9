// Real: Postgres, NATS, the object store, the sandbox, HTTP to a provider on loopback. Faked: the files and search services, as
// responders on the bus (see test/run-harness.ts).
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { filesOperations, searchOperations, sourceKey, type ChunkLine } from '@kiln/contracts';
import { embeddingOf, misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { text } from 'node:stream/consumers';
import { v7 as uuidv7 } from 'uuid';
import type { RunPolicy } from '../../organization/policies/run-policy.domain.js';
import type { ClaimedJob } from '../../jobs/job.rows.js';
import type { JobRequest } from '../../jobs/job.store.js';
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
  beforeAll(async () => {
    kiln = await startJobs();
    server = await startProviderServer();
  });
  afterEach(async () => {
    server.reset();
    await Promise.all(opened.splice(0).map((runs) => runs.close()));
    await kiln.clear();
  });
  afterAll(async () => {
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
    // No embeddings were committed.
    if (!variant) throw new Error('no variant');
    const { sizeBytes, body } = await runs.objects.get(variant.content_key ?? '');
    expect([variant.content_type, variant.size_bytes]).toStrictEqual(['application/json', sizeBytes]);
    return JSON.parse(await text(body)) as EmbeddingsVariant;
  }
  const usageOf = async ({ tenant_id, id }: ClaimedJob) =>
    (await kiln.sql<{ usage: unknown }>('select usage from jobs where tenant_id = $1 and id = $2', [tenant_id, id]))[0]
      ?.usage;

  it('are a variant with every chunk: an exact slice, its headings, and the vector of its text', async () => {
    const runs = await open();
    const job = await claimed(runs);
    expect(await runs.run(job)).toStrictEqual(['embeddings', 'markdown', 'metadata', 'searchable-index']);
    const { model, dimensions, chunks } = await variantOf(runs);
    expect([model, dimensions]).toStrictEqual(['small', 8]);
    expect(chunks.length).toBeGreaterThan(4);
    for (const [position, { index, text, start, end, page, embedding }] of chunks.entries()) {
      expect([index, text, page]).toStrictEqual([position, MARKDOWN.slice(start, end), null]);
      expect(embedding).toStrictEqual(embeddingOf(text));
    }
    expect([chunks[0]?.heading_path, chunks.at(-1)?.heading_path]).toStrictEqual([['Kilns'], ['Kilns', 'Glaze']]);
    for (const { json, headers } of server.requests) {
      expect((json['input'] as string[]).length).toBeLessThanOrEqual(2);
      expect(headers.authorization).toBe(`Bearer ${KEY}`);
    }
  });

  it('record their usage in the job, as counted by the provider', async () => {
    const runs = await open();
    const job = await claimed(runs);
    await runs.run(job);
    const { chunks } = await variantOf(runs);
    const tokens = chunks.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
    expect(await usageOf(job)).toStrictEqual({
      extraction: { key: 'managed', page_count: null, characters: MARKDOWN.length, duration_seconds: null },
      embedding: { key: 'managed', model: 'small', chunks: chunks.length, tokens },
    });
  });

  /** What the search service got for the file: the model, and the first number of each vector. */
  async function indexedIn(runs: RunHarness) {
    const file = runs.indexed.at(-1);
    const stored = file?.chunks_key ? await text((await runs.objects.get(file.chunks_key)).body) : '';
    const lines =
      file?.chunks ??
      stored
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as ChunkLine);
    return {
      embedding: file?.embedding,
      numbers: lines.map(({ vector }) => Buffer.from(vector ?? '', 'base64').readFloatLE()),
      bytes: new Set(lines.map(({ vector }) => Buffer.from(vector ?? '', 'base64').length)),
    };
  }
  const numbersOf = ({ chunks }: EmbeddingsVariant) => chunks.map(({ embedding }) => Math.fround(embedding[0] ?? 0));

  it('are handed to the search service with the chunks, and the index names their model', async () => {
    const runs = await open();
    await runs.run(await claimed(runs));
    expect(await indexedIn(runs)).toStrictEqual({
      embedding: { model: 'small', dimensions: 8 },
      numbers: numbersOf(await variantOf(runs)),
      bytes: new Set([32]),
    });
    const index = JSON.parse(await runs.contentOf('searchable-index')) as { indexed_at: string };
    expect(index).toMatchObject({ model: 'small' });
    expect(index.indexed_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(new Set(runs.committed.map(({ provider }) => provider))).toStrictEqual(new Set(['document_extractor']));
    await runs.run(await claimed(runs, { variants: ['searchable-index'] }));
    expect(runs.indexed.at(-1)).not.toHaveProperty('embedding');
  });

  it('that are too many to be kept in memory are handed on from the variant', async () => {
    const runs = await open({ ...managed(), KILN_EMBEDDING_DIMENSIONS: '8192', KILN_EMBEDDING_BATCH_INPUTS: '20' });
    const chunking = { strategy: 'fixed' as const, chunk_size: 100, chunk_overlap: 0 };
    await runs.run(await claimed(runs, { chunking }));
    const { embedding, numbers, bytes } = await indexedIn(runs);
    expect([embedding, bytes]).toStrictEqual([{ model: 'small', dimensions: 8_192 }, new Set([32_768])]);
    expect(numbers).toStrictEqual(numbersOf(await variantOf(runs)));
    expect(numbers.length).toBeGreaterThan(50);
  });

  it('follow the request: its chunking, its model, its variants', async () => {
    const runs = await open();
    const chunking = { strategy: 'fixed' as const, chunk_size: 500, chunk_overlap: 0 };
    const job = await claimed(runs, { chunking, embedding_model: 'large', variants: ['embeddings'] });
    expect(await runs.run(job)).toStrictEqual(['embeddings']);
    const { model, chunks } = await variantOf(runs);
    expect(model).toBe('large');
    expect(chunks).toHaveLength(Math.ceil(MARKDOWN.length / 500));
    for (const { json } of server.requests) expect(json['model']).toBe('large');
    server.reset();
    await runs.run(await claimed(runs, { variants: ['markdown'] }));
    // No request is sent for vectors that are not requested.
    expect(server.requests).toHaveLength(0);
  });

  it('are skipped without a provider and in test mode', async () => {
    for (const runs of [
      await open({}),
      await open(managed(), { isTest: true, keyOf: () => Promise.resolve('sk-own') }),
    ]) {
      expect(await runs.run(await claimed(runs))).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
    }
    expect(server.requests).toHaveLength(0);
  });

  it('of an unknown model fail the job with a message that names the available models', async () => {
    const runs = await open();
    const job = await claimed(runs, { embedding_model: 'huge' });
    await expect(runs.run(job)).rejects.toMatchObject({
      code: 'provider_unavailable',
      transient: false,
      message: expect.stringMatching(/"huge" is not offered here. Use small or large/),
    });
  });

  it("use the organization's own key, with any model, and no other key once it is refused", async () => {
    const runs = await open(managed(), { keyOf: (provider) => Promise.resolve(`sk-own-${provider}`) });
    const job = await claimed(runs, { embedding_model: 'huge' });
    await runs.run(job);
    expect(server.requests.length).toBeGreaterThan(0);
    expect((await variantOf(runs)).model).toBe('huge');
    expect(((await usageOf(job)) as { embedding: { key: string } }).embedding.key).toBe('organization');
    server.always(misbehaviour.status(401));
    await expect(runs.run(await claimed(runs))).rejects.toMatchObject({
      code: 'provider_unauthorized',
      message: expect.stringMatching(/own key/),
    });
    for (const { headers } of server.requests) expect(headers.authorization).toBe('Bearer sk-own-embedding');
  });

  it('survive transient provider failures: a rate limit, an error, a broken connection, invalid vectors', async () => {
    const runs = await open();
    server.next(
      misbehaviour.status(429, { 'retry-after-ms': '5' }),
      misbehaviour.status(500, { 'retry-after-ms': '5' }),
      misbehaviour.reset,
      misbehaviour.json({ data: [] }),
    );
    const job = await claimed(runs);
    expect(await runs.run(job)).toHaveLength(4);
    const { chunks } = await variantOf(runs);
    expect(chunks.map(({ embedding }) => embedding[0])).toStrictEqual(chunks.map(({ text }) => embeddingOf(text)[0]));
  });

  it('of an unavailable provider leave no variant; the next run makes them without reading the document again', async () => {
    // One request, so that its tries do not open the circuit.
    const runs = await open({ ...managed(), KILN_EMBEDDING_BATCH_INPUTS: '100' });
    server.always(misbehaviour.status(503, { 'retry-after-ms': '1' }));
    const job = await claimed(runs);
    await expect(runs.run(job)).rejects.toMatchObject({ code: 'provider_unavailable', transient: true });
    expect(runs.committed.map(({ type }) => type)).toStrictEqual(['markdown', 'metadata']);
    server.reset();
    const before = runs.extractions();
    expect(await runs.run(await nextRun(job))).toHaveLength(4);
    expect(runs.extractions()).toBe(before);
  });

  it('leave no partial variant when they fail in the middle', async () => {
    const runs = await open();
    let answered = 0;
    server.always((response, request) => {
      if (answered++ < 3) return misbehaviour.json(wellEmbedded(request.json))(response, request);
      return misbehaviour.status(400)(response, request);
    });
    await expect(runs.run(await claimed(runs))).rejects.toMatchObject({ name: 'ProviderError', statusCode: 400 });
    expect(runs.committed.map(({ type }) => type)).not.toContain('embeddings');
  });

  for (const operation of [searchOperations.indexFiles, filesOperations.finishRuns]) {
    it(`are paid for once, though the run broke off at ${operation.subject} afterwards`, async () => {
      const runs = await open();
      const job = await claimed(runs, { variants: ['embeddings', 'searchable-index'] });
      runs.away.subjects = [operation.subject, filesOperations.commitVariants.subject];
      await expect(runs.run(job)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      const asked = server.requests.length;
      expect(asked).toBeGreaterThan(0);
      runs.away.subjects = [];
      expect(await runs.run(await nextRun(job))).toStrictEqual(['embeddings', 'searchable-index']);
      expect(server.requests).toHaveLength(asked);
      const variant = await variantOf(runs);
      expect(variant.chunks.length).toBeGreaterThan(4);
      expect((await indexedIn(runs)).numbers).toStrictEqual(numbersOf(variant));
    });
  }

  it('of a text without words are an empty, valid variant', async () => {
    const runs = await open();
    const job = await claimed(runs, { variants: ['embeddings'] });
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), ' \n', { contentType: 'text/markdown' });
    await runs.run(job);
    expect(await variantOf(runs)).toStrictEqual({ model: 'small', dimensions: 0, chunks: [] });
  });

  it('stop with the run: once its lease is lost, no request is sent', async () => {
    const runs = await open();
    const abort = new AbortController();
    server.always(() => abort.abort(new Error('lease lost')));
    await expect(runs.run(await claimed(runs), abort.signal)).rejects.toThrow(/lease lost|aborted/);
    expect(server.requests.length).toBeLessThanOrEqual(3);
    expect(runs.committed.map(({ type }) => type)).not.toContain('embeddings');
  });
});

function wellEmbedded(json: Record<string, unknown>) {
  const data = (json['input'] as string[]).map((input, index) => ({ index, embedding: embeddingOf(input) }));
  return { data, usage: { total_tokens: 1 } };
}
