// Real: Postgres, over a proxy that can be cut. Faked: nothing.
import { conflict, superseded, unavailable } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { providerEndpoint, ProviderError } from '@kiln/extraction/remote';
import type { Database } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { LeaseStore } from '../store/lease.store.js';
import { openCuttable, type CuttableDatabase } from '@kiln/testing';
import { completedEvent, openDatabase, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { refuseEvents } from '../test/stated-events.js';
import { SettleJob } from './settle-job.js';

describe('settling a run', () => {
  let kiln: JobsHarness;
  let cuttable: CuttableDatabase;
  let database: Database;
  let settleJob: SettleJob;
  before(async () => {
    kiln = await startJobs();
    cuttable = await openCuttable(kiln.databaseUrl);
    database = openDatabase(cuttable.url);
    settleJob = new SettleJob(database, new LeaseStore(database, 20), 20, silentLogger);
  });
  afterEach(() => kiln.clear());
  after(async () => {
    await database.close();
    await cuttable.cut();
    await kiln.close();
  });

  it('completes the job and states the fact, both or neither', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const { job, lease } = await kiln.claimed();
    const allow = await refuseEvents(kiln.database, '"file.processing.completed"');
    await assert.rejects(settleJob.complete(lease, completedEvent(job)), /refuse/);
    assert.equal((await kiln.stored(tenantId, jobId)).status, 'processing');
    await allow();
    await settleJob.complete(lease, completedEvent(job));
    await settleJob.complete(lease, completedEvent(job));
    const done = await kiln.stored(tenantId, jobId);
    assert.deepEqual([done.status, done.progress, done.lease_ends_at], ['completed', 1, null]);
    assert.deepEqual(await kiln.eventsOf(jobId), ['file.processing.completed']);
  });

  it('waits for a database that is away, and then counts once', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const { job, lease } = await kiln.claimed();
    await database.ping();
    await cuttable.cut();
    const settled = settleJob.complete(lease, completedEvent(job));
    assert.equal((await kiln.stored(tenantId, jobId)).status, 'processing');
    await cuttable.mend();
    await settled;
    assert.equal((await kiln.stored(tenantId, jobId)).status, 'completed');
    assert.deepEqual(await kiln.eventsOf(jobId), ['file.processing.completed']);
  });

  it('tries again what a provider has refused for now, not before the moment it has named', async () => {
    const endpoint = providerEndpoint('embedding', { baseUrl: 'https://models.example/v1' });
    for (const [fault, failures, forgiven] of [
      ['rate_limited', 1, 0],
      ['circuit_open', 0, 0],
      ['busy', 0, 1],
    ] as const) {
      const tenantId = uuidv7();
      const jobId = await kiln.add(tenantId);
      const { job, lease } = await kiln.claimed();
      await settleJob.fail(job, lease, new ProviderError(fault, endpoint, { retryAfterSeconds: 600 }));
      const again = await kiln.stored(tenantId, jobId);
      assert.deepEqual(
        [again.status, again.failures, again.attempts_before_retry, again.error?.code],
        ['queued', failures, forgiven, 'provider_unavailable'],
      );
      const [{ seconds } = { seconds: 0 }] = await kiln.sql<{ seconds: number }>(
        'select extract(epoch from run_after - now())::float8 as seconds from jobs where id = $1',
        [jobId],
      );
      assert.ok(seconds > 540 && seconds <= 600, `${fault}: ${seconds} s`);
      await kiln.clear();
    }
  });

  it('gives up on a database that stays away once the lease is lost anyway', async () => {
    await kiln.add(uuidv7());
    const { job, lease } = await kiln.claimed();
    await cuttable.cut();
    const impatient = new SettleJob(database, new LeaseStore(database, 20), 0, silentLogger);
    await assert.rejects(impatient.complete(lease, completedEvent(job)), { code: 'UNAVAILABLE' });
    await cuttable.mend();
  });

  const settled = async (error: unknown, runs = 1) => {
    // A job that was tried before may be due again by now.
    await kiln.clear();
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    for (let run = 0; run < runs; run++) {
      await kiln.sql('update queued_jobs set run_after = now() where id = $1', [jobId]);
      await kiln.tenants.join(kiln.database, tenantId);
      const { job, lease } = await kiln.claimed();
      await settleJob.fail(job, lease, error);
    }
    const { status, error: stated, failures } = await kiln.stored(tenantId, jobId);
    return { status, code: stated?.code, failures, events: await kiln.eventsOf(jobId) };
  };
  const failedEvents = ['file.processing.failed', 'job.failed'];

  it('ends the job at once when the file is at fault, and says so', async () => {
    const corrupt = new ExtractionError('corrupt_file', 'The file is damaged.');
    assert.deepEqual(await settled(corrupt), {
      status: 'failed',
      code: 'corrupt_file',
      failures: 0,
      events: failedEvents,
    });
  });

  it('tries a fault of ours three times, and then ends the job', async () => {
    const queued = { status: 'queued', code: 'internal', events: [] };
    assert.deepEqual(await settled(new Error('bug'), 1), { ...queued, failures: 1 });
    assert.deepEqual(await settled(new Error('bug'), 2), { ...queued, failures: 2 });
    const failed = { status: 'failed', code: 'internal', failures: 2, events: failedEvents };
    assert.deepEqual(await settled(new Error('bug'), 3), failed);
  });

  it('counts nothing while a part of Kiln is away', async () => {
    const expected = { status: 'queued', code: 'internal', failures: 0, events: [] };
    assert.deepEqual(await settled(unavailable('The files service'), 5), expected);
  });

  it('cancels a superseded job under a new fence and states it, so that its file follows if the job is still its own', async () => {
    const expected = { status: 'cancelled', code: undefined, failures: 0, events: ['job.cancelled'] };
    assert.deepEqual(await settled(superseded('A newer run')), expected);
    const [job] = await kiln.sql<{ fence: number }>('select fence from jobs');
    assert.equal(job?.fence, 2);
  });

  it('fails a job that a service keeps refusing for another reason, and says so', async () => {
    const failed = { status: 'failed', code: 'internal', failures: 2, events: failedEvents };
    assert.deepEqual(await settled(conflict('The content is not in storage.'), 3), failed);
  });
});
