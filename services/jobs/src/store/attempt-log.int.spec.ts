// Real: Postgres. Faked: the passing of time, by moving a lease's end in its row.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { RunTimeline, timelineOf } from '../domain/run-timeline.js';
import { completedEvent, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { SettleJob } from '../workers/settle-job.js';
import { JobChangeStore } from './job-change.store.js';
import { JobTimelineStore } from './job-timeline.store.js';
import type { Lease } from './lease.store.js';

const error = { code: 'corrupt_file', message: 'Damaged.', retryable: false } as const;

describe('the log of a job’s runs', () => {
  let kiln: JobsHarness;
  let settleJob: SettleJob;
  let timelines: JobTimelineStore;
  before(async () => {
    kiln = await startJobs();
    settleJob = new SettleJob(kiln.database, kiln.leases, 20, silentLogger);
    timelines = new JobTimelineStore(kiln.database);
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  const tenantId = uuidv7();
  const report = (lease: Lease) => {
    const timeline = new RunTimeline();
    timeline.begin('extract', 'document_extractor');
    return kiln.leases.report(lease, {
      step: 'extract',
      progress: 0.1,
      provider: null,
      contentType: null,
      steps: timeline.steps,
    });
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

  it('is empty before the first run, and shows the one under way', async () => {
    const jobId = await kiln.add(tenantId);
    assert.deepEqual(await timeline(jobId), []);
    const { lease } = await kiln.claimed();
    assert.deepEqual(await timeline(jobId), [[1, null, 'running', undefined]]);
    await report(lease);
    assert.deepEqual(await timeline(jobId), [[1, 'extract', 'running', undefined]]);
  });

  it('holds each run once, however it ended, with its steps and its fault', async () => {
    const { jobId, lease } = await begun();
    await kiln.leases.release(lease, { error, counted: true, delaySeconds: 0 });
    const second = await kiln.claimed();
    await kiln.leases.release(second.lease, { error: null, counted: false, delaySeconds: 0 });
    await report((await kiln.claimed()).lease);
    await kiln.loseLeases();
    await reclaim();
    const fourth = await kiln.claimed();
    await report(fourth.lease);
    await settleJob.complete(fourth.lease, completedEvent(fourth.job));
    assert.deepEqual(await timeline(jobId), [
      [1, 'extract', 'failed', 'corrupt_file'],
      [2, null, 'interrupted', undefined],
      [3, 'extract', 'interrupted', 'internal'],
      [4, 'extract', 'completed', undefined],
    ]);
  });

  it('says failed, cancelled or interrupted of a run that ended its job', async () => {
    const failed = await begun();
    await kiln.leases.fail(kiln.database, failed.lease, error);
    const gone = await begun();
    await kiln.leases.cancel(kiln.database, gone.lease);
    const cancelled = await begun();
    await new JobChangeStore().cancel(kiln.database, tenantId, cancelled.jobId);
    const lost = await begun();
    await kiln.loseLeases();
    await reclaim(1);
    assert.equal((await kiln.stored(tenantId, lost.jobId)).status, 'failed');
    const shown = await Promise.all([failed, gone, cancelled, lost].map(({ jobId }) => timeline(jobId)));
    assert.deepEqual(shown, [
      [[1, 'extract', 'failed', 'corrupt_file']],
      [[1, 'extract', 'cancelled', undefined]],
      [[1, 'extract', 'cancelled', undefined]],
      [[1, 'extract', 'interrupted', 'internal']],
    ]);
  });

  it('is not written by a run that lost its lease, nor by a cancel of a job that waits', async () => {
    const { jobId, job, lease } = await begun();
    const changes = new JobChangeStore();
    await changes.cancel(kiln.database, tenantId, jobId);
    await settleJob.complete(lease, completedEvent(job));
    await settleJob.giveBack(lease);
    await kiln.leases.fail(kiln.database, lease, error);
    await kiln.leases.cancel(kiln.database, lease);
    assert.deepEqual(await timeline(jobId), [[1, 'extract', 'cancelled', undefined]]);
    const waiting = await kiln.add(tenantId);
    await changes.cancel(kiln.database, tenantId, waiting);
    assert.deepEqual(await timeline(waiting), []);
  });

  it('is seen by its own tenant alone, and shows the last 100 runs', async () => {
    const { jobId, job, lease } = await begun();
    await settleJob.complete(lease, completedEvent(job));
    assert.equal(await timeline(jobId, uuidv7()), null);
    await kiln.sql(
      `insert into job_attempts (tenant_id, job_id, attempt, status, started_at, ended_at)
       select $1, $2, n, 'failed', now(), now() from generate_series(1, 149) n`,
      [tenantId, jobId],
    );
    await kiln.sql('update jobs set attempts = 150 where id = $1', [jobId]);
    const attempts = (await timeline(jobId))?.map(([attempt]) => attempt);
    assert.deepEqual([attempts?.length, attempts?.[0], attempts?.at(-1)], [100, 51, 150]);
  });

  it('goes with the file of its job, also when a run ends while the file is being forgotten', async () => {
    const attempts = async () => (await kiln.sql('select 1 from job_attempts')).length;
    const [ended, ending] = [await begun(), await begun()];
    await settleJob.complete(ended.lease, completedEvent(ended.job));
    await kiln.deletedFiles.forget(kiln.database, tenantId, ended.job.file_id);
    assert.equal(await attempts(), 0);

    let forgotten: Promise<boolean> = Promise.resolve(false);
    await kiln.database.transaction(async (transaction) => {
      await kiln.leases.complete(transaction, ending.lease);
      forgotten = kiln.deletedFiles.forget(kiln.database, tenantId, ending.job.file_id);
      await isWaiting();
    });
    assert.equal(await forgotten, false);
    assert.equal(await attempts(), 0);
  });

  /** Until a statement waits for another transaction's lock. */
  async function isWaiting(): Promise<void> {
    const text = `select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
    while ((await kiln.sql(text)).length === 0);
  }
});
