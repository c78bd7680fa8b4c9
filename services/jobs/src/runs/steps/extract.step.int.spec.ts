// Real: Postgres, NATS, the object store, the sandbox, HTTP to engines on loopback. Faked: the files and search services, as
// responders on the bus (see test/run-harness.ts).
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey } from '@kiln/contracts';
import { createSandbox } from '@kiln/extraction';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import type { RunPolicy } from '../../organization/policies/run-policy.domain.js';
import type { ClaimedJob } from '../../jobs/job.rows.js';
import type { JobRequest } from '../../jobs/job.store.js';
import { PageReservationStore } from '../../organization/pages/page-reservation.store.js';
import { leaseOf, startJobs, type JobsHarness } from '../../test/jobs-harness.js';
import { startRuns, type RunHarness } from '../../test/run-harness.js';

const PDF = 'application/pdf';
const pdfOf = (pages: number) => {
  const ids = Array.from({ length: pages }, (_, page) => page + 3);
  return [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    `2 0 obj<</Type/Pages/Count ${pages}/Kids[${ids.map((id) => `${id} 0 R`).join(' ')}]>>endobj`,
    ...ids.map((id) => `${id} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj`),
    'trailer<</Root 1 0 R>>',
    '%%EOF',
  ].join('\n');
};
const DOCUMENT = '# Kilns\n\nThe first page.\fThe second page.';
const MARKDOWN = '# Kilns\n\nThe first page.\n\nThe second page.\n';

describe('extraction by engines of the operator', () => {
  let kiln: JobsHarness;
  let first: ProviderServer;
  let second: ProviderServer;
  const opened: RunHarness[] = [];
  const sandbox = createSandbox({ processes: 1, isolation: 'preferred' });
  beforeAll(async () => {
    [kiln, first, second] = await Promise.all([startJobs(), startProviderServer(), startProviderServer()]);
  });
  afterEach(async () => {
    first.reset();
    second.reset();
    await Promise.all(opened.splice(0).map((runs) => runs.close()));
    await kiln.clear();
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close(), kiln.close(), sandbox.close()]);
  });

  const both = () => ({
    KILN_DOCUMENT_EXTRACTOR: `${first.url},${second.url}`,
    KILN_DOCUMENT_EXTRACTOR_KEY: 'one,two',
    KILN_IMAGE_EXTRACTOR: second.url,
    KILN_AUDIO_EXTRACTOR: `${second.url}/v1`,
  });
  async function open(
    environment: Record<string, string> = both(),
    policy: Partial<RunPolicy> = {},
    contentType = PDF,
  ) {
    const runs = await startRuns(kiln, { environment, policy, sandbox });
    runs.arrived.contentType = contentType;
    opened.push(runs);
    return runs;
  }
  async function claimed(runs: RunHarness, processing: JobRequest['processing'] = {}): Promise<ClaimedJob> {
    await kiln.add(uuidv7(), { processing: { variants: ['markdown', 'metadata'], ...processing } });
    const { job } = await kiln.claimed();
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), DOCUMENT, { contentType: PDF });
    return job;
  }
  const usageOf = async ({ tenant_id, id }: ClaimedJob) =>
    (await kiln.sql<{ usage: unknown }>('select usage from jobs where tenant_id = $1 and id = $2', [tenant_id, id]))[0]
      ?.usage;
  /** As the gateway does for a plan that ends hard, before the job is claimed. */
  const reserve = (job: ClaimedJob, pagesLimit: number) => {
    job.is_limited = true;
    const jobs = [{ jobId: job.id, hundredths: 100 }];
    const reservation = { liveTenantId: job.tenant_id, jobs, pagesLimit };
    return new PageReservationStore(kiln.database).reserve(kiln.database, reservation);
  };
  const asked = () => [first.requests.length, second.requests.length];

  it('makes the variants of what the first engine read, with its pages', async () => {
    const runs = await open();
    const job = await claimed(runs);
    expect(await runs.run(job)).toStrictEqual(['markdown', 'metadata']);
    expect(await runs.contentOf('markdown')).toBe(MARKDOWN);
    const metadata = JSON.parse(await runs.contentOf('metadata')) as { page_count: number; title: string };
    expect([metadata.title, metadata.page_count]).toStrictEqual(['Kilns', 2]);
    expect(asked()).toStrictEqual([1, 0]);
    // Nothing was read in the sandbox.
    expect(runs.extractions()).toBe(0);
    expect(first.requests[0]?.headers['x-api-key']).toBe('one');
    expect(await usageOf(job)).toStrictEqual({
      extraction: { key: 'managed', page_count: 2, characters: MARKDOWN.length, duration_seconds: null },
    });
  });

  it('parses a large answer of an engine in the sandbox, with the same outcome as a small one', async () => {
    const runs = await open();
    const padding = 'x'.repeat(5 * 1_048_576);
    first.next(misbehaviour.json({ document: { md_content: '# Kilns' }, status: 'success', padding }));
    expect(await runs.run(await claimed(runs))).toStrictEqual(['markdown', 'metadata']);
    expect(await runs.contentOf('markdown')).toBe('# Kilns\n');
    expect([asked(), runs.extractions()]).toStrictEqual([[1, 0], 1]);
  });

  it('keeps the title and the author that a file states, and its type-specific fields, whoever reads its text', async () => {
    const runs = await open();
    const job = await claimed(runs);
    const info = '9 0 obj<</Title(Clay)/Author(Ada)/Producer(Kiln Press)>>endobj';
    const pdf = pdfOf(1).replace('trailer<<', `${info}\ntrailer<</Info 9 0 R`);
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), pdf, { contentType: PDF });
    await runs.run(job);
    const metadata = JSON.parse(await runs.contentOf('metadata')) as unknown;
    const stated = { title: 'Clay', author: 'Ada', producer: 'Kiln Press', pdf_version: '1.4' };
    expect(metadata).toMatchObject({ ...stated, page_count: 1 });
    expect([asked(), runs.extractions()]).toStrictEqual([[1, 0], 0]);
  });

  it('makes the thumbnail of a file here, whoever reads its text', async () => {
    const runs = await open();
    const job = await claimed(runs, { variants: ['markdown', 'thumbnails'] });
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), pdfOf(2), { contentType: PDF });
    expect(await runs.run(job)).toStrictEqual(['markdown', 'thumbnails']);
    expect([asked(), runs.extractions()]).toStrictEqual([[1, 0], 0]);
    const thumbnail = runs.committed.find(({ type }) => type === 'thumbnails');
    expect([thumbnail?.content_type, thumbnail?.provider]).toStrictEqual(['image/webp', 'document_extractor']);
  });

  it('calls no engine for a PDF whose pages exceed the plan, and calls it once there is room', async () => {
    const runs = await open();
    const job = await claimed(runs);
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), pdfOf(12), { contentType: PDF });
    await reserve(job, 11);
    await expect(runs.run(job)).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringMatching(/has 12 pages/),
    });
    expect(asked()).toStrictEqual([0, 0]);
    await reserve(job, 12);
    await runs.run(job);
    expect(asked()).toStrictEqual([1, 0]);
  });

  it('keeps the result of an engine when it reports too many pages, and resumes with it once there is room', async () => {
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const runs = await open(both(), {}, docx);
    const job = await claimed(runs);
    await reserve(job, 1);
    await expect(runs.run(job)).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringMatching(/has 2 pages/),
    });
    expect([runs.committed, await usageOf(job)]).toStrictEqual([[], {}]);
    await reserve(job, 2);
    await kiln.leases.release(leaseOf(job), { error: null, counted: false, delaySeconds: 0 });
    expect(await runs.run((await kiln.claimed()).job)).toStrictEqual(['markdown', 'metadata']);
    expect(asked()).toStrictEqual([1, 0]);
  });

  it('needs its sandbox until the text is extracted, and not while a remote engine reads the file', async () => {
    const readWhenLeft = async (runs: RunHarness, job: ClaimedJob) => {
      const read: number[] = [];
      await runs.run(job, undefined, () => read.push(runs.extractions() + first.requests.length));
      return read[0];
    };
    const remote = await open();
    // Left before the engine was asked.
    expect(await readWhenLeft(remote, await claimed(remote))).toBe(0);
    const local = await open({}, {}, 'text/html');
    const job = await claimed(local);
    first.reset();
    // Left after it was read.
    expect(await readWhenLeft(local, job)).toBe(1);
    const text = await open({}, {}, 'text/markdown');
    // Small text needs none.
    expect(await readWhenLeft(text, await claimed(text))).toBe(0);
  });

  it('falls back to the next engine while the first one is down', async () => {
    const runs = await open();
    first.always(misbehaviour.reset);
    expect(await runs.run(await claimed(runs))).toStrictEqual(['markdown', 'metadata']);
    expect(await runs.contentOf('markdown')).toBe(MARKDOWN);
    expect(asked()).toStrictEqual([1, 1]);
    expect(second.requests[0]?.headers['x-api-key']).toBe('two');
    const [{ steps } = {}] = await kiln.sql<{ steps: { step: string; provider: string; error: { code: string } }[] }>(
      'select run_steps as steps from jobs',
    );
    expect(steps?.slice(0, 2).map(({ step, provider, error }) => [step, provider, error?.code])).toStrictEqual([
      ['extract', 'document_extractor', 'provider_unavailable'],
      ['extract', 'document_extractor (engine 2)', undefined],
    ]);
  });

  it('falls back to the local engine where it is configured, and fails with a reason where no engine can read the file', async () => {
    const runs = await open({ KILN_DOCUMENT_EXTRACTOR: `${first.url},local` });
    first.always(misbehaviour.status(503));
    // The sandbox knows that it is no PDF.
    await expect(runs.run(await claimed(runs))).rejects.toMatchObject({ code: 'corrupt_file' });
    expect(runs.extractions()).toBe(1);
    const alone = await open({ KILN_DOCUMENT_EXTRACTOR: first.url });
    await expect(alone.run(await claimed(alone))).rejects.toMatchObject({
      code: 'provider_unavailable',
      transient: true,
    });
  });

  it('reads text locally, whatever engines are configured for documents', async () => {
    const markdown = await open(both(), {}, 'text/markdown');
    await markdown.run(await claimed(markdown));
    expect([markdown.extractions(), ...asked()]).toStrictEqual([0, 0, 0]);
    const table = await open(both(), {}, 'text/csv');
    await table.run(await claimed(table));
    expect([table.extractions(), ...asked()]).toStrictEqual([1, 0, 0]);
  });

  it('sends images and speech to their engines', async () => {
    const images = await open(both(), {}, 'image/png');
    await images.run(await claimed(images));
    expect(second.requests[0]?.path).toBe('/v1/convert/file');
    const speech = await open(both(), {}, 'audio/mpeg');
    const job = await claimed(speech);
    await speech.run(job);
    expect(second.requests[1]?.path).toBe('/v1/audio/transcriptions');
    expect(
      ((await usageOf(job)) as { extraction: { duration_seconds: number } }).extraction.duration_seconds,
    ).toBeGreaterThan(0);
  });

  it('speaks the protocol that the URL of an engine names', async () => {
    const documents = await open({ KILN_DOCUMENT_EXTRACTOR: `unstructured+${first.url}` });
    await documents.run(await claimed(documents));
    const engines = { KILN_IMAGE_EXTRACTOR: `chat+${second.url}/v1`, KILN_IMAGE_EXTRACTOR_MODEL: 'seeing' };
    const images = await open(engines, {}, 'image/png');
    await images.run(await claimed(images));
    expect([first.requests[0]?.path, second.requests[0]?.path]).toStrictEqual([
      '/general/v0/general',
      '/v1/chat/completions',
    ]);
  });

  it('is routed by the request, else by the organization’s rules, else by the default table', async () => {
    const ruled = { ruledProvider: () => Promise.resolve('image_extractor' as const) };
    const environment = { KILN_DOCUMENT_EXTRACTOR: first.url, KILN_IMAGE_EXTRACTOR: second.url };
    const runs = await open(environment, ruled);
    const job = await claimed(runs);
    await runs.run(job);
    expect(asked()).toStrictEqual([0, 1]);
    expect((await kiln.stored(job.tenant_id, job.id)).provider).toBe('image_extractor');
    await runs.run(await claimed(runs, { provider: 'document_extractor' }));
    expect(asked()).toStrictEqual([1, 1]);
    const unruled = await open(environment);
    await unruled.run(await claimed(unruled));
    expect(asked()).toStrictEqual([2, 1]);
    expect(runs.committed.filter(({ type }) => type === 'markdown').map(({ provider }) => provider)).toStrictEqual([
      'image_extractor',
      'document_extractor',
    ]);
  });

  it("uses the organization's own key only: when it is refused the job fails, and the error names the key", async () => {
    const runs = await open(both(), { keyOf: (provider) => Promise.resolve(`own-${provider}`) });
    const job = await claimed(runs);
    await runs.run(job);
    expect(first.requests[0]?.headers['x-api-key']).toBe('own-document_extractor');
    expect(((await usageOf(job)) as { extraction: { key: string } }).extraction.key).toBe('organization');
    first.always(misbehaviour.status(401));
    await expect(runs.run(await claimed(runs))).rejects.toMatchObject({
      code: 'provider_unauthorized',
      message: expect.stringMatching(/your organization's own key \(provider key document_extractor\)/),
    });
    expect(asked()).toStrictEqual([2, 0]);
  });

  it('uses local engines only in test mode', async () => {
    const test = { isTest: true, keyOf: () => Promise.resolve('own') };
    const runs = await open(both(), test);
    await expect(runs.run(await claimed(runs))).rejects.toMatchObject({
      code: 'unsupported_type',
      message: expect.stringMatching(/test mode/),
    });
    const local = await open({ ...both(), KILN_DOCUMENT_EXTRACTOR: `${first.url},local` }, test);
    await expect(local.run(await claimed(local))).rejects.toMatchObject({ code: 'corrupt_file' });
    expect(local.extractions()).toBe(1);
    expect(asked()).toStrictEqual([0, 0]);
  });

  it('downloads no bytes for an engine that is not called, and never blames an engine for a fault of the source', async () => {
    const runs = await open({ KILN_DOCUMENT_EXTRACTOR: first.url });
    first.next(misbehaviour.status(429, { 'retry-after': '3600' }));
    await expect(runs.run(await claimed(runs))).rejects.toMatchObject({
      fault: 'rate_limited',
      retryAfterSeconds: 3_600,
    });
    const job = await claimed(runs);
    await runs.objects.delete(sourceKey(job.tenant_id, job.file_id));
    await expect(runs.run(job)).rejects.toMatchObject({ fault: 'busy', wasAsked: false });
    const next = await open();
    const gone = await claimed(next);
    await next.objects.delete(sourceKey(gone.tenant_id, gone.file_id));
    await expect(next.run(gone)).rejects.toMatchObject({ name: 'StorageError', code: 'not_found' });
    // No other engine could have read it.
    expect(second.requests).toHaveLength(0);
  });

  it('is not repeated by a run that resumes: the paid result is used', async () => {
    const runs = await open();
    const job = await claimed(runs);
    runs.away.subjects = ['files.finishRuns.v1'];
    await expect(runs.run(job)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    runs.away.subjects = [];
    const lease = { tenantId: job.tenant_id, jobId: job.id, fence: job.fence };
    await kiln.leases.release(lease, { error: null, counted: false, delaySeconds: 0 });
    await runs.run((await kiln.claimed()).job);
    expect(asked()).toStrictEqual([1, 0]);
    expect(await usageOf(job)).toStrictEqual({
      extraction: { key: 'managed', page_count: 2, characters: MARKDOWN.length, duration_seconds: null },
    });
  });
});
