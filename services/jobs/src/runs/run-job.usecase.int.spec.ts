// Real: Postgres, NATS, the object store, the extraction sandbox. Faked: the files and search services, as responders on
// the bus (see test/run-harness.ts); a crash of the worker, as a run that ends early.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { filesOperations, searchOperations, sourceKey } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { buffer, text } from 'node:stream/consumers';
import { v7 as uuidv7 } from 'uuid';
import type { ClaimedJob } from '../jobs/job.rows.js';
import type { JobRequest } from '../jobs/job.store.js';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { TURNED_PNG, webpSize } from '../test/pictures.js';
import { startRuns, type RunHarness } from '../test/run-harness.js';

const MARKDOWN = '# Kilns\n\nA kiln fires clay at a thousand degrees.\n';
/** More than is kept beside a row: what is extracted is stored at once. */
const LARGE = MARKDOWN + 'Clay shrinks as it dries.\n\n'.repeat(3_000);
const MARKDOWN_SHA256 = createHash('sha256').update(MARKDOWN).digest('hex');

describe('a run', () => {
  let kiln: JobsHarness;
  let runs: RunHarness;
  beforeAll(async () => {
    kiln = await startJobs();
    runs = await startRuns(kiln);
  });
  afterEach(async () => {
    runs.away.subjects = [];
    Object.assign(runs.arrived, { etag: null, sha256: null, contentType: 'text/markdown' });
    runs.hashes.length = 0;
    runs.committed.length = 0;
    runs.indexed.length = 0;
    await kiln.clear();
  });
  afterAll(async () => {
    await runs.close();
    await kiln.close();
  });

  /** A claimed job whose bytes are in the store, unless `bytes` is null. */
  async function claimed(
    bytes: Buffer | string | null = MARKDOWN,
    overrides: Partial<JobRequest> = {},
  ): Promise<ClaimedJob> {
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
  /** Names of the objects of its file. */
  const objectsOf = async ({ tenant_id, file_id }: ClaimedJob) =>
    (await runs.objects.list(`${tenant_id}/${file_id}/`)).objects.map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
  const ownPrefix = ({ tenant_id, file_id, id, fence }: ClaimedJob) => `${tenant_id}/${file_id}/${id}/${fence}/`;
  const types = () => runs.committed.map(({ type }) => type).toSorted();
  it('returns what it found out about the file, which is in the job’s row too, and names the provider of each variant', async () => {
    await kiln.add(uuidv7(), { content_type: null });
    await kiln.sql('update jobs set provider = null');
    const { job } = await kiln.claimed();
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), MARKDOWN, { contentType: 'text/markdown' });
    const variants = ['markdown', 'metadata', 'searchable-index'];
    const labels = { external_id: null, metadata: {} };
    const outcome = { contentType: 'text/markdown', provider: 'document_extractor', variants, labels };
    expect(await runs.outcome(job)).toStrictEqual(outcome);
    const row = await kiln.stored(job.tenant_id, job.id);
    expect([row.content_type, row.provider]).toStrictEqual(['text/markdown', 'document_extractor']);
    expect(new Set(runs.committed.map(({ provider }) => provider))).toStrictEqual(new Set(['document_extractor']));
    expect(await runs.outcome(await nextRun(job))).toStrictEqual(outcome);
  });

  it('of a small text makes all variants visible when it finishes, after search has indexed the file', async () => {
    const job = await claimed();
    expect(await runs.run(job)).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
    expect(await runs.contentOf('markdown')).toMatch(/A kiln fires clay/);
    expect((JSON.parse(await runs.contentOf('metadata')) as { title: string }).title).toBe('Kilns');
    for (const { content, fence } of runs.committed) {
      expect(content).not.toBeNull();
      expect(fence).toBe(1);
    }
    const [indexed] = runs.indexed;
    expect([indexed?.title, indexed?.chunks_key, indexed?.language]).toStrictEqual(['Kilns', null, 'english']);
    expect(indexed?.chunks?.[0]?.text ?? '').toMatch(/thousand degrees/);
    expect((await kiln.stored(job.tenant_id, job.id)).step).toBe('finish');
    expect(runs.hashes).toStrictEqual([MARKDOWN_SHA256]);
    // Nothing else was stored.
    expect(await objectsOf(job)).toStrictEqual(['source']);
    // Nothing was read in the sandbox.
    expect(runs.extractions()).toBe(0);
    expect(readdirSync(runs.scratch)).toStrictEqual([]);
  });

  it('of a large text stores its markdown under its own fencing token, and sends its chunks with the call', async () => {
    const job = await claimed(LARGE);
    expect(await runs.run(job)).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
    expect(runs.committed.find(({ type }) => type === 'markdown')?.content_key).toBe(`${ownPrefix(job)}markdown.md`);
    expect(runs.indexed[0]?.chunks_key).toBeNull();
    expect(runs.indexed[0]?.chunks?.[0]?.text ?? '').toMatch(/thousand degrees/);
    expect(await runs.contentOf('markdown')).toBe(LARGE);
  });

  for (const [name, content] of [
    ['that does not fit into a call', LARGE.repeat(11)],
    ['that does not fit into a call once it is JSON', `${MARKDOWN}${'"" '.repeat(250_000)}`],
  ] as const) {
    it(`of a text ${name} stores its chunks under its own fencing token`, async () => {
      runs.arrived.contentType = 'text/html';
      const job = await claimed(content);
      expect(await runs.run(job)).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
      const { chunks, chunks_key: key } = runs.indexed[0] ?? {};
      expect([chunks, key]).toStrictEqual([null, `${ownPrefix(job)}chunks.ndjson`]);
      expect(await text((await runs.objects.get(key ?? '')).body)).toMatch(/thousand degrees/);
    });
  }

  it('makes the variants of a large text visible by the call that finishes it, as those of a small one', async () => {
    runs.away.subjects = [filesOperations.commitVariants.subject];
    expect(await runs.run(await claimed(LARGE))).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
    expect(await runs.run(await claimed())).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
  });

  it('reads files other than plain text in the sandbox', async () => {
    runs.arrived.contentType = 'text/html';
    const before = runs.extractions();
    const job = await claimed('<h1>Kilns</h1><p>Clay.</p>');
    expect(await runs.run(job)).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
    expect([runs.extractions() - before, await objectsOf(job)]).toStrictEqual([1, ['source']]);
    expect(readdirSync(runs.scratch)).toStrictEqual([]);
  });

  for (const operation of [searchOperations.indexFiles, filesOperations.finishRuns]) {
    it(`on a large text that broke off at ${operation.subject} resumes from what it has stored`, async () => {
      const job = await claimed(LARGE);
      runs.away.subjects = [operation.subject];
      await expect(runs.run(job)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(types()).toStrictEqual(['markdown', 'metadata', ...(runs.indexed.length > 0 ? ['searchable-index'] : [])]);
      runs.away.subjects = [];
      await runs.objects.delete(sourceKey(job.tenant_id, job.file_id));
      expect(await runs.run(await nextRun(job))).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
      expect(runs.indexed.at(-1)?.title).toBe('Kilns');
      expect(runs.indexed).toHaveLength(1);
    });

    it(`on a small text that broke off at ${operation.subject} keeps what it made, and completes as usual`, async () => {
      const job = await claimed();
      runs.away.subjects = [operation.subject];
      await expect(runs.run(job)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(types().slice(0, 2)).toStrictEqual(['markdown', 'metadata']);
      runs.away.subjects = [];
      expect(await runs.run(await nextRun(job))).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
      expect(runs.indexed).toHaveLength(1);
    });
  }

  it('that broke off twice, first before any commit, still reads a large text only once', async () => {
    let job = await claimed(LARGE);
    for (const operation of [filesOperations.commitVariants, searchOperations.indexFiles]) {
      runs.away.subjects = [searchOperations.indexFiles.subject, operation.subject];
      await expect(runs.run(job)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await runs.objects.delete(sourceKey(job.tenant_id, job.file_id));
      job = await nextRun(job);
    }
    runs.away.subjects = [];
    expect(await runs.run(job)).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
    expect((JSON.parse(await runs.contentOf('metadata')) as { title: string }).title).toBe('Kilns');
  });

  it('that makes no markdown variant resumes, too, without reading a large text again', async () => {
    const job = await claimed(LARGE, { processing: { variants: ['searchable-index'] } });
    runs.away.subjects = [searchOperations.indexFiles.subject];
    await expect(runs.run(job)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    runs.away.subjects = [];
    await runs.objects.delete(sourceKey(job.tenant_id, job.file_id));
    expect(await runs.run(await nextRun(job))).toStrictEqual(['searchable-index']);
  });

  it('whose extraction was expensive stores its text, from which the next run resumes without the file', async () => {
    const slow = await startRuns(kiln, { expensiveMs: -1 });
    try {
      slow.arrived.contentType = 'text/html';
      const job = await claimed('<h1>Kilns</h1><p>Clay.</p>');
      slow.away.subjects = [filesOperations.finishRuns.subject];
      await expect(slow.run(job)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(await objectsOf(job)).toStrictEqual(['extraction.json', 'markdown.md', 'source']);
      slow.away.subjects = [];
      await slow.objects.delete(sourceKey(job.tenant_id, job.file_id));
      expect(await slow.run(await nextRun(job))).toStrictEqual(['markdown', 'metadata', 'searchable-index']);
      expect(slow.extractions()).toBe(1);
    } finally {
      await slow.close();
    }
  });

  it('makes only the requested variants', async () => {
    expect(await runs.run(await claimed(MARKDOWN, { processing: { variants: ['metadata'] } }))).toStrictEqual([
      'metadata',
    ]);
    expect(runs.indexed).toStrictEqual([]);
  });

  describe('that makes a thumbnail', () => {
    const ALL: Partial<JobRequest> = { processing: { variants: ['markdown', 'metadata', 'thumbnails'] } };
    const ONLY: Partial<JobRequest> = { processing: { variants: ['thumbnails'] } };
    const sizeOf = async () => {
      const key = runs.committed.find(({ type }) => type === 'thumbnails')?.content_key ?? '';
      return webpSize(await buffer((await runs.objects.get(key)).body));
    };

    it('stores it beside the text, which it reads once, and leaves the sandbox after both', async () => {
      runs.arrived.contentType = 'image/png';
      const before = runs.extractions();
      const job = await claimed(TURNED_PNG, ALL);
      let leaves = 0;
      expect(await runs.run(job, undefined, () => leaves++)).toStrictEqual(['markdown', 'metadata', 'thumbnails']);
      expect([await sizeOf(), runs.extractions() - before, leaves]).toStrictEqual([[256, 512], 1, 1]);
      expect(await objectsOf(job)).toStrictEqual(['thumbnail.webp', 'source']);
      expect(readdirSync(runs.scratch)).toStrictEqual([]);
    });

    it('alone reads no text', async () => {
      runs.arrived.contentType = 'image/png';
      const before = runs.extractions();
      const outcome = await runs.outcome(await claimed(TURNED_PNG, ONLY));
      expect(outcome).toStrictEqual({
        contentType: 'image/png',
        provider: 'image_extractor',
        variants: ['thumbnails'],
        labels: { external_id: null, metadata: {} },
      });
      expect([await sizeOf(), runs.extractions() - before]).toStrictEqual([[256, 512], 0]);
      expect(runs.hashes).toStrictEqual([createHash('sha256').update(TURNED_PNG).digest('hex')]);
    });

    it('skips it for a text, whether anything else is made or not', async () => {
      expect(await runs.run(await claimed(MARKDOWN, ALL))).toStrictEqual(['markdown', 'metadata']);
      expect(await runs.run(await claimed(MARKDOWN, ONLY))).toStrictEqual([]);
    });

    it('skips it for a damaged picture whose properties can be read, and fails when nothing else is made', async () => {
      runs.arrived.contentType = 'image/png';
      const damaged = TURNED_PNG.subarray(0, 100);
      expect(await runs.run(await claimed(damaged, ALL))).toStrictEqual(['markdown', 'metadata']);
      await expect(runs.run(await claimed(damaged, ONLY))).rejects.toMatchObject({ code: 'corrupt_file' });
    });

    it('and breaks off later keeps it, and resumes without the file', async () => {
      runs.arrived.contentType = 'image/png';
      let job = await claimed(TURNED_PNG, ONLY);
      for (const away of [[filesOperations.commitVariants, filesOperations.finishRuns], [filesOperations.finishRuns]]) {
        runs.away.subjects = away.map(({ subject }) => subject);
        await expect(runs.run(job)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
        await runs.objects.delete(sourceKey(job.tenant_id, job.file_id));
        job = await nextRun(job);
      }
      runs.away.subjects = [];
      expect([await runs.run(job), await sizeOf()]).toStrictEqual([['thumbnails'], [256, 512]]);
    });

    it('of a type that nobody reads fails as any job of that type', async () => {
      runs.arrived.contentType = 'video/mp4';
      await expect(runs.run(await claimed('film', ONLY))).rejects.toMatchObject({ code: 'unsupported_type' });
    });
  });

  it('of a file whose bytes have vanished fails with that reason', async () => {
    await expect(runs.run(await claimed(null))).rejects.toMatchObject({ name: 'StorageError', code: 'not_found' });
    expect(readdirSync(runs.scratch)).toStrictEqual([]);
  });

  it('refuses a file over the limit without downloading it', async () => {
    for (const contentType of ['text/markdown', 'text/html']) {
      const before = runs.extractions();
      runs.arrived.contentType = contentType;
      await expect(runs.run(await claimed('x'.repeat(2_000_001)))).rejects.toMatchObject({ code: 'file_too_large' });
      expect(runs.extractions()).toBe(before);
    }
    expect(types()).toStrictEqual([]);
  });

  it('stops when its lease is lost, and leaves nothing on disk', async () => {
    const job = await claimed();
    await expect(runs.run(job, AbortSignal.abort(new Error('lease lost')))).rejects.toThrow(/lease lost|aborted/);
    expect(types()).toStrictEqual([]);
    expect(readdirSync(runs.scratch)).toStrictEqual([]);
  });

  it('fails with a clear message when the stored bytes are not those that were uploaded', async () => {
    runs.arrived.sha256 = createHash('sha256').update('other words').digest('hex');
    const job = await claimed();
    await expect(runs.run(job)).rejects.toMatchObject({
      code: 'corrupt_file',
      message: expect.stringMatching(/not those that were uploaded/),
    });
    expect([runs.committed, runs.hashes]).toStrictEqual([[], []]);
    runs.arrived.sha256 = MARKDOWN_SHA256;
    expect(await runs.run(job)).toHaveLength(3);
  });

  it('reads only the bytes that arrived: a second PUT to the signed URL fails the job with a clear message', async () => {
    const job = await claimed();
    const head = await runs.objects.head(sourceKey(job.tenant_id, job.file_id));
    runs.arrived.etag = head?.etag ?? '';
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), 'Other words.', { contentType: 'text/plain' });
    await expect(runs.run(job)).rejects.toMatchObject({
      code: 'corrupt_file',
      message: expect.stringMatching(/replaced after they had arrived/),
    });
    expect(runs.committed).toStrictEqual([]);
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), MARKDOWN, { contentType: 'text/plain' });
    // The same bytes sent twice are the same.
    expect(await runs.run(job)).toHaveLength(3);
  });
});
