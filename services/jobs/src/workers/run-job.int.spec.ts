// Real: Postgres, NATS, the object store, the extraction sandbox. Faked: the files and search services, as responders on
// the bus (see test/run-harness.ts); a crash of the worker, as a run that ends early.
import { filesOperations, searchOperations, sourceKey } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { ClaimedJob } from '../store/job.rows.js';
import type { JobRequest } from '../store/job.store.js';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { startRuns, type RunHarness } from '../test/run-harness.js';

const MARKDOWN = '# Kilns\n\nA kiln fires clay at a thousand degrees.\n';
const MARKDOWN_SHA256 = createHash('sha256').update(MARKDOWN).digest('hex');

describe('a run', () => {
  let kiln: JobsHarness;
  let runs: RunHarness;
  before(async () => {
    kiln = await startJobs();
    runs = await startRuns(kiln);
  });
  afterEach(async () => {
    runs.away.subject = null;
    Object.assign(runs.arrived, { etag: null, sha256: null });
    runs.hashes.length = 0;
    runs.committed.length = 0;
    runs.indexed.length = 0;
    await kiln.clear();
  });
  after(async () => {
    await runs.close();
    await kiln.close();
  });

  /** A claimed job whose bytes are in the store, unless `bytes` is null. */
  async function claimed(bytes: string | null = MARKDOWN, overrides: Partial<JobRequest> = {}): Promise<ClaimedJob> {
    await kiln.add(uuidv7(), overrides);
    const { job } = await kiln.claimed();
    const key = sourceKey(job.tenant_id, job.file_id);
    if (bytes !== null) await runs.objects.put(key, bytes, { contentType: 'text/markdown' });
    return job;
  }
  /** The next run of the same job, as after its lease was lost. */
  async function nextRun(job: ClaimedJob): Promise<ClaimedJob> {
    const lease = { tenantId: job.tenant_id, jobId: job.id, fence: job.fence };
    await kiln.leases.release(lease, { error: null, counted: false, delaySeconds: 0 });
    return (await kiln.claimed()).job;
  }
  const types = () => runs.committed.map(({ type }) => type);
  const contentOf = async (type: string) => {
    const variant = runs.committed.find((candidate) => candidate.type === type);
    assert.ok(variant);
    return text((await runs.objects.get(variant.content_key)).body);
  };

  it('comes to what it found out of the file, which the job’s row holds as well, and names who made each variant', async () => {
    await kiln.add(uuidv7(), { content_type: null });
    await kiln.sql('update jobs set provider = null');
    const { job } = await kiln.claimed();
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), MARKDOWN, { contentType: 'text/markdown' });
    const variants = ['markdown', 'metadata', 'searchable-index'];
    const outcome = { contentType: 'text/markdown', provider: 'document_extractor', variants };
    assert.deepEqual(await runs.outcome(job), outcome);
    const row = await kiln.stored(job.tenant_id, job.id);
    assert.deepEqual([row.content_type, row.provider], ['text/markdown', 'document_extractor']);
    assert.deepEqual(new Set(runs.committed.map(({ provider }) => provider)), new Set(['document_extractor']));
    assert.deepEqual(await runs.outcome(await nextRun(job)), outcome);
  });

  it('makes every variant, each under its own fence, and search knows the file before it finishes', async () => {
    const job = await claimed();
    assert.deepEqual(await runs.run(job), ['markdown', 'metadata', 'searchable-index']);
    assert.match(await contentOf('markdown'), /A kiln fires clay/);
    assert.equal((JSON.parse(await contentOf('metadata')) as { title: string }).title, 'Kilns');
    const own = `${job.tenant_id}/${job.file_id}/${job.id}/1/`;
    assert.ok(runs.committed.every(({ content_key: key, fence }) => key.startsWith(own) && fence === 1));
    assert.equal(runs.indexed[0]?.title, 'Kilns');
    const chunks = await text((await runs.objects.get(runs.indexed[0].chunks_key)).body);
    assert.match(chunks, /thousand degrees/);
    assert.equal((await kiln.stored(job.tenant_id, job.id)).step, 'finish');
    assert.deepEqual(runs.hashes, [MARKDOWN_SHA256]);
    assert.deepEqual(readdirSync(runs.scratch), []);
  });

  for (const operation of [searchOperations.indexFile, filesOperations.finishProcessing]) {
    it(`that broke off at ${operation.subject} goes on from there, and reads the document only once`, async () => {
      const before = runs.extractions();
      const job = await claimed();
      runs.away.subject = operation.subject;
      await assert.rejects(runs.run(job), { code: 'UNAVAILABLE' });
      runs.away.subject = null;
      assert.deepEqual(await runs.run(await nextRun(job)), ['markdown', 'metadata', 'searchable-index']);
      assert.equal(runs.extractions() - before, 1);
      assert.deepEqual(types(), ['markdown', 'metadata', 'searchable-index']);
      assert.equal(runs.indexed.at(-1)?.title, 'Kilns');
      assert.deepEqual(runs.hashes, [MARKDOWN_SHA256], 'the hash of what the first run has read');
    });
  }

  it('that broke off twice, first before anything was committed, still reads the document only once', async () => {
    const before = runs.extractions();
    let job = await claimed();
    for (const operation of [filesOperations.commitVariant, searchOperations.indexFile]) {
      runs.away.subject = operation.subject;
      await assert.rejects(runs.run(job), { code: 'UNAVAILABLE' });
      job = await nextRun(job);
    }
    runs.away.subject = null;
    assert.deepEqual(await runs.run(job), ['markdown', 'metadata', 'searchable-index']);
    assert.equal(runs.extractions() - before, 1);
    assert.equal((JSON.parse(await contentOf('metadata')) as { title: string }).title, 'Kilns');
  });

  it('that makes no markdown variant goes on as well without reading the document again', async () => {
    const before = runs.extractions();
    const job = await claimed(MARKDOWN, { processing: { variants: ['searchable-index'] } });
    runs.away.subject = searchOperations.indexFile.subject;
    await assert.rejects(runs.run(job), { code: 'UNAVAILABLE' });
    runs.away.subject = null;
    assert.deepEqual(await runs.run(await nextRun(job)), ['searchable-index']);
    assert.equal(runs.extractions() - before, 1);
  });

  it('makes only the variants that were asked for', async () => {
    assert.deepEqual(await runs.run(await claimed(MARKDOWN, { processing: { variants: ['metadata'] } })), ['metadata']);
    assert.deepEqual(runs.indexed, []);
  });

  it('of a file whose bytes have vanished fails with that reason', async () => {
    await assert.rejects(runs.run(await claimed(null)), { name: 'StorageError', code: 'not_found' });
    assert.deepEqual(readdirSync(runs.scratch), []);
  });

  it('refuses a file over the limit without fetching its bytes', async () => {
    const before = runs.extractions();
    await assert.rejects(runs.run(await claimed('x'.repeat(100_001))), { code: 'file_too_large' });
    assert.equal(runs.extractions(), before);
    assert.deepEqual(types(), []);
  });

  it('ends when its lease is lost, and leaves nothing on disk', async () => {
    const job = await claimed();
    await assert.rejects(runs.run(job, AbortSignal.abort(new Error('lease lost'))), /lease lost|aborted/);
    assert.deepEqual(types(), []);
    assert.deepEqual(readdirSync(runs.scratch), []);
  });

  it('of bytes that storage has not kept as they were uploaded fails in clear words', async () => {
    runs.arrived.sha256 = createHash('sha256').update('other words').digest('hex');
    const job = await claimed();
    await assert.rejects(runs.run(job), { code: 'corrupt_file', message: /not those that were uploaded/ });
    assert.deepEqual([runs.committed, runs.hashes], [[], []]);
    runs.arrived.sha256 = MARKDOWN_SHA256;
    assert.equal((await runs.run(job)).length, 3);
  });

  it('reads the bytes that arrived and no others: a second PUT to the signed URL fails the job in clear words', async () => {
    const job = await claimed();
    const head = await runs.objects.head(sourceKey(job.tenant_id, job.file_id));
    runs.arrived.etag = head?.etag ?? '';
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), 'Other words.', { contentType: 'text/plain' });
    await assert.rejects(runs.run(job), { code: 'corrupt_file', message: /replaced after they had arrived/ });
    assert.deepEqual(runs.committed, []);
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), MARKDOWN, { contentType: 'text/plain' });
    assert.equal((await runs.run(job)).length, 3, 'the same bytes sent twice are the same');
  });
});
