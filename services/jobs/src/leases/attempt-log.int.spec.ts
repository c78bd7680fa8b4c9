// Real: Postgres. Faked: the passing of time, by moving a lease's end in its row.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { superseded } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import type { RunReport } from '../runs/domain/run-report.js';
import { RunTimeline, timelineOf } from '../runs/domain/run-timeline.js';
import {
  completedEvent,
  finishedRun,
  leaseOf,
  silentLogger,
  startJobs,
  type JobsHarness,
} from '../test/jobs-harness.js';
import { EndRun } from '../worker/end-run.usecase.js';
import { CompletionStore } from './completion.store.js';
import { JobChangeStore } from '../jobs/job-change.store.js';
import type { ClaimedJob } from '../jobs/job.rows.js';
import { JobTimelineStore } from '../jobs/job-timeline.store.js';
import type { Lease } from './lease.store.js';

const error = { code: 'corrupt_file', message: 'Damaged.', retryable: false } as const;

describe('the log of a job’s runs', () => {
  let kiln: JobsHarness;
  let endRun: EndRun;
  let timelines: JobTimelineStore;
  beforeAll(async () => {
    kiln = await startJobs();
    endRun = new EndRun(kiln.database, kiln.leases, 20, silentLogger);
    timelines = new JobTimelineStore(kiln.database);
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const tenantId = uuidv7();
  const report = (lease: Lease) => {
    const timeline = new RunTimeline();
    timeline.begin('extract', 'document_extractor');
    const at = { step: 'extract', progress: 0.1, provider: null, contentType: null };
    return kiln.leases.report([{ lease, report: { ...at, steps: timeline.steps } }]);
  };
  const begun = async () => {
    const jobId = await kiln.add(tenantId);
    const { job, lease } = await kiln.claimed();
    await report(lease);
    return { jobId, job, lease };
  };
  const timeline = async (jobId: string, tenant = tenantId) => {
    const found = await timelines.get(tenant, jobId);
    return (
      found &&
      timelineOf(found.runs).map(({ attempt, step, status, error: fault }) => [attempt, step, status, fault?.code])
    );
  };
  const reclaim = (lostLeasesMax = 10) =>
    kiln.leases.reclaim(kiln.database, { limit: 10, lostLeasesMax, error: { ...error, code: 'internal' } });

  it('is empty before the first run, and shows the run in progress', async () => {
    const jobId = await kiln.add(tenantId);
    expect(await timeline(jobId)).toStrictEqual([]);
    const { lease } = await kiln.claimed();
    expect(await timeline(jobId)).toStrictEqual([[1, null, 'running', undefined]]);
    await report(lease);
    expect(await timeline(jobId)).toStrictEqual([[1, 'extract', 'running', undefined]]);
  });

  it('has each run once, however it ended, with its steps and its error', async () => {
    const { jobId, lease } = await begun();
    await kiln.leases.release(lease, { error, counted: true, delaySeconds: 0 });
    const second = await kiln.claimed();
    await kiln.leases.release(second.lease, { error: null, counted: false, delaySeconds: 0 });
    await report((await kiln.claimed()).lease);
    await kiln.loseLeases();
    await reclaim();
    const fourth = await kiln.claimed();
    await report(fourth.lease);
    await endRun.complete({ lease: fourth.lease, event: completedEvent(fourth.job) });
    expect(await timeline(jobId)).toStrictEqual([
      [1, 'extract', 'failed', 'corrupt_file'],
      [2, null, 'interrupted', undefined],
      [3, 'extract', 'interrupted', 'internal'],
      [4, 'extract', 'completed', undefined],
    ]);
  });

  it('shows failed, cancelled or interrupted for a run that ended its job', async () => {
    const failed = await begun();
    await kiln.leases.fail(kiln.database, failed.lease, error);
    const gone = await begun();
    await kiln.leases.cancel(kiln.database, gone.lease);
    const cancelled = await begun();
    await new JobChangeStore().cancel(kiln.database, tenantId, cancelled.jobId);
    const lost = await begun();
    await kiln.loseLeases();
    await reclaim(1);
    expect((await kiln.stored(tenantId, lost.jobId)).status).toBe('failed');
    const shown = await Promise.all([failed, gone, cancelled, lost].map(({ jobId }) => timeline(jobId)));
    expect(shown).toStrictEqual([
      [[1, 'extract', 'failed', 'corrupt_file']],
      [[1, 'extract', 'cancelled', undefined]],
      [[1, 'extract', 'cancelled', undefined]],
      [[1, 'extract', 'interrupted', 'internal']],
    ]);
  });

  it('is not written by a run that lost its lease, nor by the cancel of a queued job', async () => {
    const { jobId, job, lease } = await begun();
    const changes = new JobChangeStore();
    await changes.cancel(kiln.database, tenantId, jobId);
    await endRun.complete({ lease, event: completedEvent(job) });
    await endRun.release(lease);
    await kiln.leases.fail(kiln.database, lease, error);
    await kiln.leases.cancel(kiln.database, lease);
    expect(await timeline(jobId)).toStrictEqual([[1, 'extract', 'cancelled', undefined]]);
    const waiting = await kiln.add(tenantId);
    await changes.cancel(kiln.database, tenantId, waiting);
    expect(await timeline(waiting)).toStrictEqual([]);
  });

  it('is visible to its own tenant only, and shows the last 100 runs', async () => {
    const { jobId, job, lease } = await begun();
    await endRun.complete({ lease, event: completedEvent(job) });
    expect(await timeline(jobId, uuidv7())).toBeNull();
    await kiln.sql(
      `insert into job_attempts (tenant_id, job_id, attempt, status, started_at, ended_at)
       select $1, $2, n, 'failed', now(), now() from generate_series(1, 149) n`,
      [tenantId, jobId],
    );
    await kiln.sql('update jobs set attempts = 150 where id = $1', [jobId]);
    const attempts = (await timeline(jobId))?.map(([attempt]) => attempt);
    expect([attempts?.length, attempts?.[0], attempts?.at(-1)]).toStrictEqual([100, 51, 150]);
  });

  const steps = new RunTimeline();
  steps.begin('extract', 'image_extractor');
  const usage = {
    parts: { embedding: { key: 'managed', model: 'small', chunks: 2, tokens: 9 } },
    pageHundredths: 700,
  };
  const known = { step: 'extract', progress: 0.25, provider: 'image_extractor', contentType: 'image/png' };
  const findings: RunReport = { ...known, steps: steps.steps, usage: usage as RunReport['usage'] };
  const runOf = (job: ClaimedJob) => ({ job, lease: leaseOf(job), report: findings });
  const ends: Record<string, (job: ClaimedJob) => Promise<unknown>> = {
    completed: (job) => endRun.complete({ ...finishedRun(job), report: findings }),
    failed: (job) => endRun.fail(runOf(job), new ExtractionError('corrupt_file', 'Damaged.')),
    cancelled: (job) => endRun.fail(runOf(job), superseded('A newer run')),
    interrupted: (job) => endRun.release(leaseOf(job), findings),
  };
  it.each(Object.entries(ends))(
    'has the steps that a run reports when it is %s, and its job has its findings',
    async (status, end) => {
      await kiln.clear();
      const jobId = await kiln.add(tenantId);
      await end((await kiln.claimed()).job);
      expect((await timeline(jobId))?.at(-1)?.slice(0, 3)).toStrictEqual([1, 'extract', status]);
      const [row] = await kiln.sql(
        'select step, provider, content_type, usage, page_hundredths from jobs where id = $1',
        [jobId],
      );
      expect(row).toStrictEqual({
        step: 'extract',
        provider: 'image_extractor',
        content_type: 'image/png',
        usage: usage.parts,
        page_hundredths: 700,
      });
    },
  );

  it('is deleted with the file of its job, even when a run ends during the deletion', async () => {
    const attempts = async () => (await kiln.sql('select 1 from job_attempts')).length;
    const [ended, ending] = [await begun(), await begun()];
    await endRun.complete({ lease: ended.lease, event: completedEvent(ended.job) });
    await kiln.deletedFiles.deleteJobs(kiln.database, tenantId, ended.job.file_id);
    expect(await attempts()).toBe(0);

    let forgotten: Promise<boolean> = Promise.resolve(false);
    await kiln.database.transaction(async (transaction) => {
      await new CompletionStore(transaction).completeOne(finishedRun(ending.job));
      forgotten = kiln.deletedFiles.deleteJobs(kiln.database, tenantId, ending.job.file_id);
      await isWaiting();
    });
    expect(await forgotten).toBe(false);
    expect(await attempts()).toBe(0);
  });

  /** Until a statement waits for another transaction's lock. */
  async function isWaiting(): Promise<void> {
    const text = `select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
    await eventually(async () => (await kiln.sql(text)).length > 0);
  }
});
