// Real: Postgres, NATS, the object store, the sandbox. Faked: the files and search services, as responders on the bus.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey, superseded, unavailable } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { v7 as uuidv7 } from 'uuid';
import { ExtractionAwaited } from '../extractions/asked-extraction.domain.js';
import { LeaseStore } from '../leases/lease.store.js';
import type { RunReport } from '../runs/domain/run-report.js';
import { jobCompleted } from '../jobs/job.events.js';
import { completedEvent, leaseOf, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { makeFlac } from '../test/recordings.js';
import { startRuns, type RunHarness } from '../test/run-harness.js';
import { EndRun } from './end-run.usecase.js';

/** The column has four bytes. */
const REFUSED: RunReport = {
  step: 'index',
  progress: 0.5,
  provider: 'document_extractor',
  contentType: 'audio/flac',
  steps: [],
  usage: { parts: {}, pageHundredths: 1e12 },
};

describe('a run ends', () => {
  let kiln: JobsHarness;
  let runs: RunHarness;
  let endRun: EndRun;
  beforeAll(async () => {
    kiln = await startJobs();
    runs = await startRuns(kiln);
    endRun = new EndRun(kiln.database, new LeaseStore(kiln.database, 20), 20, silentLogger);
  });
  afterEach(() => kiln.clear());
  afterAll(async () => {
    await runs.close();
    await kiln.close();
  });

  async function begun() {
    const jobId = await kiln.add(uuidv7());
    const { job, lease } = await kiln.claimed();
    const status = async () => (await kiln.stored(job.tenant_id, jobId)).status;
    return { job, lease, status };
  }

  it.each([
    ['fails', new ExtractionError('corrupt_file', 'The file is damaged.'), 'failed'],
    ['is retried', new Error('bug'), 'queued'],
    ['is postponed', unavailable('The files service'), 'queued'],
    ['waits for an extractor', new ExtractionAwaited(600), 'queued'],
    ['is cancelled', superseded('A newer run'), 'cancelled'],
  ] as const)('without its last report when the database refuses that, where its job %s', async (_how, thrown, end) => {
    const { job, lease, status } = await begun();
    await endRun.fail({ job, lease, report: REFUSED }, thrown);
    expect(await status()).toBe(end);
  });

  it('without its last report when the database refuses that, where its job completes or its worker stops', async () => {
    const released = await begun();
    await endRun.release(released.lease, REFUSED);
    expect(await released.status()).toBe('queued');
    await kiln.clear();
    const completed = await begun();
    await endRun.complete({ lease: completed.lease, event: completedEvent(completed.job), report: REFUSED });
    expect(await completed.status()).toBe('completed');
    expect(await kiln.eventsOf(completed.job.id)).toStrictEqual(['file.processing.completed']);
  });

  it('with an error whose text PostgreSQL cannot store as it is', async () => {
    const { job, lease } = await begun();
    await endRun.fail(
      { job, lease, report: null },
      new ExtractionError('corrupt_file', 'Page \0 7 is damaged: \ud83d.'),
    );
    const { status, error } = await kiln.stored(job.tenant_id, job.id);
    expect([status, error?.message]).toStrictEqual(['failed', 'Page  7 is damaged: \ufffd.']);
  });

  it('with the last report of a run of which a text cannot be stored as it is', async () => {
    const { job, lease } = await begun();
    const error = { code: 'internal' as const, message: 'Bad \0 gateway \udc00' };
    const at = '2026-11-21T09:30:08.000Z';
    const step = { step: 'extract', provider: 'a\0b', status: 'failed', started_at: at, ended_at: at, error } as const;
    const report = { ...REFUSED, usage: { parts: {}, pageHundredths: 100 }, steps: [step] };
    await endRun.fail({ job, lease, report }, new Error('bug'));
    const [attempt] = await kiln.sql<{ steps: unknown }>('select steps from job_attempts');
    expect(attempt?.steps).toMatchObject([{ provider: 'ab', error: { message: 'Bad  gateway \ufffd' } }]);
  });

  it('for a recording of 242 bytes that states 68 years', async () => {
    runs.arrived.contentType = 'audio/flac';
    const { job, status } = await begun();
    const bytes = makeFlac({ samples: 2 ** 31 - 1, hertz: 1, bytes: 242 });
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), bytes, { contentType: 'audio/flac' });
    const outcome = await runs.outcome(job);
    const metadata = JSON.parse(await runs.contentOf('metadata')) as { duration_seconds: number };
    expect(metadata.duration_seconds).toBe(2 ** 31 - 1);
    await endRun.complete({ lease: leaseOf(job), event: jobCompleted(job, outcome, 1) });
    expect(await status()).toBe('completed');
    const [counted] = await kiln.sql<{ page_hundredths: number }>('select page_hundredths from jobs');
    expect(counted?.page_hundredths).toBe(100_000_000);
  });
});
