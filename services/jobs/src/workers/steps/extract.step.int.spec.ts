// Real: Postgres, NATS, the object store, the sandbox, HTTP to engines on loopback. Faked: the files and search services, as
// responders on the bus (see test/run-harness.ts).
import { sourceKey } from '@kiln/contracts';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { RunPolicy } from '../../domain/run-policy.js';
import type { ClaimedJob } from '../../store/job.rows.js';
import type { JobRequest } from '../../store/job.store.js';
import { PageReservationStore } from '../../store/page-reservation.store.js';
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
  before(async () => {
    [kiln, first, second] = await Promise.all([startJobs(), startProviderServer(), startProviderServer()]);
  });
  afterEach(async () => {
    first.reset();
    second.reset();
    await Promise.all(opened.splice(0).map((runs) => runs.close()));
    await kiln.clear();
  });
  after(async () => {
    await Promise.all([first.close(), second.close(), kiln.close()]);
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
    const runs = await startRuns(kiln, { environment, policy });
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
  const contentOf = async (runs: RunHarness, type: string) => {
    const variant = runs.committed.find((candidate) => candidate.type === type);
    assert.ok(variant);
    return text((await runs.objects.get(variant.content_key)).body);
  };
  const usageOf = async ({ tenant_id, id }: ClaimedJob) =>
    (await kiln.sql<{ usage: unknown }>('select usage from jobs where tenant_id = $1 and id = $2', [tenant_id, id]))[0]
      ?.usage;
  /** As the gateway does for a plan that ends hard. */
  const reserve = ({ tenant_id: liveTenantId, id: jobId }: ClaimedJob, pagesLimit: number) =>
    new PageReservationStore(kiln.database).reserve(kiln.database, {
      liveTenantId,
      jobs: [{ jobId, hundredths: 100 }],
      pagesLimit,
    });
  const asked = () => [first.requests.length, second.requests.length];

  it('makes the variants of what the first engine read, with its pages', async () => {
    const runs = await open();
    const job = await claimed(runs);
    assert.deepEqual(await runs.run(job), ['markdown', 'metadata']);
    assert.equal(await contentOf(runs, 'markdown'), MARKDOWN);
    const metadata = JSON.parse(await contentOf(runs, 'metadata')) as { page_count: number; title: string };
    assert.deepEqual([metadata.title, metadata.page_count], ['Kilns', 2]);
    assert.deepEqual(asked(), [1, 0]);
    assert.equal(runs.extractions(), 0, 'nothing was read in the sandbox');
    assert.equal(first.requests[0]?.headers['x-api-key'], 'one');
    assert.deepEqual(await usageOf(job), {
      extraction: { key: 'managed', page_count: 2, characters: MARKDOWN.length, duration_seconds: null },
    });
  });

  it('asks no engine for a PDF whose pages do not fit into the plan, and asks it once there is room', async () => {
    const runs = await open();
    const job = await claimed(runs);
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), pdfOf(12), { contentType: PDF });
    await reserve(job, 11);
    await assert.rejects(runs.run(job), { code: 'quota_exceeded', message: /has 12 pages/ });
    assert.deepEqual(asked(), [0, 0]);
    await reserve(job, 12);
    await runs.run(job);
    assert.deepEqual(asked(), [1, 0]);
  });

  it('keeps what an engine has read of a file whose pages show only then, and goes on with it once there is room', async () => {
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const runs = await open(both(), {}, docx);
    const job = await claimed(runs);
    await reserve(job, 1);
    await assert.rejects(runs.run(job), { code: 'quota_exceeded', message: /has 2 pages/ });
    assert.deepEqual([runs.committed, await usageOf(job)], [[], {}]);
    await reserve(job, 2);
    await kiln.leases.release(leaseOf(job), { error: null, counted: false, delaySeconds: 0 });
    assert.deepEqual(await runs.run((await kiln.claimed()).job), ['markdown', 'metadata']);
    assert.deepEqual(asked(), [1, 0]);
  });

  it('needs its sandbox until the text is extracted, and not while a remote engine reads the file', async () => {
    const readWhenLeft = async (runs: RunHarness, job: ClaimedJob) => {
      const read: number[] = [];
      await runs.run(job, undefined, () => read.push(runs.extractions() + first.requests.length));
      return read[0];
    };
    const remote = await open();
    assert.equal(await readWhenLeft(remote, await claimed(remote)), 0, 'left before the engine was asked');
    const local = await open({}, {}, 'text/markdown');
    const job = await claimed(local);
    first.reset();
    assert.equal(await readWhenLeft(local, job), 1, 'left after it was read');
    assert.equal(await readWhenLeft(local, job), 1, 'a run that finds the text extracted reads nothing');
  });

  it('goes on to the next engine while the first one is down, and the job never notices', async () => {
    const runs = await open();
    first.always(misbehaviour.reset);
    assert.deepEqual(await runs.run(await claimed(runs)), ['markdown', 'metadata']);
    assert.equal(await contentOf(runs, 'markdown'), MARKDOWN);
    assert.deepEqual(asked(), [1, 1]);
    assert.equal(second.requests[0]?.headers['x-api-key'], 'two');
    const [{ steps } = {}] = await kiln.sql<{ steps: { step: string; provider: string; error: { code: string } }[] }>(
      'select run_steps as steps from jobs',
    );
    assert.deepEqual(
      steps?.slice(0, 2).map(({ step, provider, error }) => [step, provider, error?.code]),
      [
        ['extract', 'document_extractor', 'provider_unavailable'],
        ['extract', 'document_extractor (engine 2)', undefined],
      ],
    );
  });

  it('helps itself with the engines of this machine where they are named, and says what is wrong where none could', async () => {
    const runs = await open({ KILN_DOCUMENT_EXTRACTOR: `${first.url},local` });
    first.always(misbehaviour.status(503));
    await assert.rejects(
      runs.run(await claimed(runs)),
      { code: 'corrupt_file' },
      'the sandbox knows that it is no PDF',
    );
    assert.equal(runs.extractions(), 1);
    const alone = await open({ KILN_DOCUMENT_EXTRACTOR: first.url });
    await assert.rejects(alone.run(await claimed(alone)), { code: 'provider_unavailable', transient: true });
  });

  it('reads in the sandbox what is text already, whatever is set up for documents', async () => {
    const runs = await open(both(), {}, 'text/markdown');
    await runs.run(await claimed(runs));
    assert.deepEqual([runs.extractions(), ...asked()], [1, 0, 0]);
  });

  it('brings images and speech to the engines for them', async () => {
    const images = await open(both(), {}, 'image/png');
    await images.run(await claimed(images));
    assert.equal(second.requests[0]?.path, '/v1/convert/file');
    const speech = await open(both(), {}, 'audio/mpeg');
    const job = await claimed(speech);
    await speech.run(job);
    assert.equal(second.requests[1]?.path, '/v1/audio/transcriptions');
    assert.ok(((await usageOf(job)) as { extraction: { duration_seconds: number } }).extraction.duration_seconds > 0);
  });

  it('goes where the request says, else where the organization says, else where the table says', async () => {
    const ruled = { ruledProvider: () => Promise.resolve('image_extractor' as const) };
    const environment = { KILN_DOCUMENT_EXTRACTOR: first.url, KILN_IMAGE_EXTRACTOR: second.url };
    const runs = await open(environment, ruled);
    const job = await claimed(runs);
    await runs.run(job);
    assert.deepEqual(asked(), [0, 1]);
    assert.equal((await kiln.stored(job.tenant_id, job.id)).provider, 'image_extractor');
    await runs.run(await claimed(runs, { provider: 'document_extractor' }));
    assert.deepEqual(asked(), [1, 1]);
    const unruled = await open(environment);
    await unruled.run(await claimed(unruled));
    assert.deepEqual(asked(), [2, 1]);
    assert.deepEqual(
      runs.committed.filter(({ type }) => type === 'markdown').map(({ provider }) => provider),
      ['image_extractor', 'document_extractor'],
    );
  });

  it("uses the organization's own key alone: where it is refused the job fails, and says whose key it was", async () => {
    const runs = await open(both(), { keyOf: (provider) => Promise.resolve(`own-${provider}`) });
    const job = await claimed(runs);
    await runs.run(job);
    assert.equal(first.requests[0]?.headers['x-api-key'], 'own-document_extractor');
    assert.equal(((await usageOf(job)) as { extraction: { key: string } }).extraction.key, 'organization');
    first.always(misbehaviour.status(401));
    await assert.rejects(runs.run(await claimed(runs)), {
      code: 'provider_unauthorized',
      message: /your organization's own key \(provider key document_extractor\)/,
    });
    assert.deepEqual(asked(), [2, 0]);
  });

  it('never leaves this machine in the test plane: engines here or none', async () => {
    const test = { isTest: true, keyOf: () => Promise.resolve('own') };
    const runs = await open(both(), test);
    await assert.rejects(runs.run(await claimed(runs)), { code: 'unsupported_type', message: /test mode/ });
    const local = await open({ ...both(), KILN_DOCUMENT_EXTRACTOR: `${first.url},local` }, test);
    await assert.rejects(local.run(await claimed(local)), { code: 'corrupt_file' });
    assert.equal(local.extractions(), 1);
    assert.deepEqual(asked(), [0, 0]);
  });

  it('fetches no bytes for an engine that is not to be asked, and blames the source for nothing but itself', async () => {
    const runs = await open({ KILN_DOCUMENT_EXTRACTOR: first.url });
    first.next(misbehaviour.status(429, { 'retry-after': '3600' }));
    await assert.rejects(runs.run(await claimed(runs)), { fault: 'rate_limited', retryAfterSeconds: 3_600 });
    const job = await claimed(runs);
    await runs.objects.delete(sourceKey(job.tenant_id, job.file_id));
    await assert.rejects(runs.run(job), { fault: 'busy', wasAsked: false });
    const next = await open();
    const gone = await claimed(next);
    await next.objects.delete(sourceKey(gone.tenant_id, gone.file_id));
    await assert.rejects(next.run(gone), { name: 'StorageError', code: 'not_found' });
    assert.equal(second.requests.length, 0, 'no other engine could have read it');
  });

  it('is not repeated by a run that goes on: what the engine was paid for is used', async () => {
    const runs = await open();
    const job = await claimed(runs);
    runs.away.subject = 'files.finishProcessing.v1';
    await assert.rejects(runs.run(job), { code: 'UNAVAILABLE' });
    runs.away.subject = null;
    const lease = { tenantId: job.tenant_id, jobId: job.id, fence: job.fence };
    await kiln.leases.release(lease, { error: null, counted: false, delaySeconds: 0 });
    await runs.run((await kiln.claimed()).job);
    assert.deepEqual(asked(), [1, 0]);
    assert.deepEqual(await usageOf(job), {
      extraction: { key: 'managed', page_count: 2, characters: MARKDOWN.length, duration_seconds: null },
    });
  });
});
