// Real: Postgres, over a proxy that can be cut. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { conflict, superseded, unavailable } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import type { Database } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { LeaseStore } from '../leases/lease.store.js';
import { openCuttable, type CuttableDatabase } from '@kiln/testing';
import { LANE, completedEvent, openDatabase, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { refuseEvents } from '../test/stated-events.js';
import { EndRun } from './end-run.usecase.js';

describe('ending a run', () => {
  let kiln: JobsHarness;
  let cuttable: CuttableDatabase;
  let database: Database;
  let endRun: EndRun;
  beforeAll(async () => {
    kiln = await startJobs();
    cuttable = await openCuttable(kiln.databaseUrl);
    database = await openDatabase(cuttable.url);
    endRun = new EndRun(database, new LeaseStore(database, 20), 20, silentLogger);
  });
  afterEach(() => kiln.clear());
  afterAll(async () => {
    await database.close();
    await cuttable.close();
    await kiln.close();
  });

  it('completes the job and emits its event, both or neither', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const { job, lease } = await kiln.claimed();
    const allow = await refuseEvents(kiln.database, '"file.processing.completed"');
    await expect(endRun.complete({ lease, event: completedEvent(job) })).rejects.toThrow(/refuse/);
    expect((await kiln.stored(tenantId, jobId)).status).toBe('processing');
    await allow();
    await endRun.complete({ lease, event: completedEvent(job) });
    await endRun.complete({ lease, event: completedEvent(job) });
    const done = await kiln.stored(tenantId, jobId);
    expect([done.status, done.progress, done.lease_expires_at]).toStrictEqual(['completed', 1, null]);
    expect(await kiln.eventsOf(jobId)).toStrictEqual(['file.processing.completed']);
  });

  it('retries while the database is unavailable, and takes effect once', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const { job, lease } = await kiln.claimed();
    await database.ping();
    cuttable.cut();
    const completed = endRun.complete({ lease, event: completedEvent(job) });
    expect((await kiln.stored(tenantId, jobId)).status).toBe('processing');
    cuttable.mend();
    await completed;
    expect((await kiln.stored(tenantId, jobId)).status).toBe('completed');
    expect(await kiln.eventsOf(jobId)).toStrictEqual(['file.processing.completed']);
  });

  it.each([
    ['rate_limited', 1, 0],
    ['circuit_open', 0, 0],
    ['busy', 0, 1],
  ] as const)('retries when a provider is %s, no earlier than its Retry-After', async (fault, failures, forgiven) => {
    const endpoint = providerEndpoint('embedding', { baseUrl: 'https://models.example/v1' });
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const { job, lease } = await kiln.claimed();
    await endRun.fail({ job, lease }, new ProviderError(fault, endpoint, { retryAfterSeconds: 600 }));
    const again = await kiln.stored(tenantId, jobId);
    expect([again.status, again.failures, again.attempts_before_retry, again.error?.code]).toStrictEqual([
      'queued',
      failures,
      forgiven,
      'provider_unavailable',
    ]);
    const [{ seconds } = { seconds: 0 }] = await kiln.sql<{ seconds: number }>(
      'select extract(epoch from due_at - now())::float8 as seconds from jobs where id = $1',
      [jobId],
    );
    expect(seconds).toBeGreaterThan(540);
    expect(seconds).toBeLessThanOrEqual(600);
    await kiln.clear();
  });

  it('stops retrying once the lease would have expired', async () => {
    await kiln.add(uuidv7());
    const { job, lease } = await kiln.claimed();
    cuttable.cut();
    const impatient = new EndRun(database, new LeaseStore(database, 20), 0, silentLogger);
    await expect(impatient.complete({ lease, event: completedEvent(job) })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    cuttable.mend();
  });

  const jobAfter = async (error: unknown, runs = 1) => {
    // A job that was tried before may be due again by now.
    await kiln.clear();
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    for (let run = 0; run < runs; run++) {
      await kiln.sql(`update jobs set due_at = now() - interval '1 minute' where id = $1`, [jobId]);
      await kiln.tenants.join(kiln.database, tenantId, LANE);
      const { job, lease } = await kiln.claimed();
      await endRun.fail({ job, lease }, error);
    }
    const { status, error: stated, failures } = await kiln.stored(tenantId, jobId);
    return { status, code: stated?.code, failures, events: await kiln.eventsOf(jobId) };
  };
  const failedEvents = ['file.processing.failed', 'job.failed'];

  it('fails the job at once, with the reason, when the file is at fault', async () => {
    const corrupt = new ExtractionError('corrupt_file', 'The file is damaged.');
    expect(await jobAfter(corrupt)).toStrictEqual({
      status: 'failed',
      code: 'corrupt_file',
      failures: 0,
      events: failedEvents,
    });
  });

  it('emits the metadata and the external id of the file with its failure, if the run has read them', async () => {
    const labels = { external_id: 'invoice-7', metadata: { team: 'a' } };
    for (const [known, expected] of [
      [labels, labels],
      [undefined, { external_id: null, metadata: null }],
    ] as const) {
      await kiln.clear();
      await kiln.add(uuidv7());
      const { job, lease } = await kiln.claimed();
      const corrupt = new ExtractionError('corrupt_file', 'The file is damaged.');
      await endRun.fail({ job, lease, labels: known }, corrupt);
      const [failed] = await kiln.sql<{ data: object }>(
        `select envelope::jsonb -> 'data' as data from outbox where type = 'file.processing.failed'`,
      );
      expect(failed?.data).toMatchObject(expected);
    }
  });

  it('tries an internal failure three times, and then fails the job', async () => {
    const queued = { status: 'queued', code: 'internal', events: [] };
    expect(await jobAfter(new Error('bug'), 1)).toStrictEqual({ ...queued, failures: 1 });
    expect(await jobAfter(new Error('bug'), 2)).toStrictEqual({ ...queued, failures: 2 });
    const failed = { status: 'failed', code: 'internal', failures: 2, events: failedEvents };
    expect(await jobAfter(new Error('bug'), 3)).toStrictEqual(failed);
  });

  it('counts no failure while a part of Kiln is unavailable', async () => {
    const expected = { status: 'queued', code: 'internal', failures: 0, events: [] };
    expect(await jobAfter(unavailable('The files service'), 5)).toStrictEqual(expected);
  });

  it('lets a job wait up to a minute once it has met an outage often, and forgives every such run', async () => {
    await kiln.clear();
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    await kiln.sql('update jobs set attempts = 99, attempts_before_retry = 0 where id = $1', [jobId]);
    const { job, lease } = await kiln.claimed();
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.99);
    await endRun.fail({ job, lease }, unavailable('The files service'));
    random.mockRestore();
    const [stored] = await kiln.sql(
      `select status, attempts, attempts_before_retry as forgiven, due_at > (
         select max(ended_at) from job_attempts a where a.tenant_id = j.tenant_id and a.job_id = j.id) + interval '55 seconds' as "isLate"
       from jobs j where id = $1`,
      [jobId],
    );
    expect(stored).toStrictEqual({ status: 'queued', attempts: 100, forgiven: 1, isLate: true });
  });

  it('cancels a superseded job under a higher fencing token, and emits the event', async () => {
    const expected = { status: 'cancelled', code: undefined, failures: 0, events: ['job.cancelled'] };
    expect(await jobAfter(superseded('A newer run'))).toStrictEqual(expected);
    const [job] = await kiln.sql<{ fence: number }>('select fence from jobs');
    expect(job?.fence).toBe(2);
  });

  it('fails a job that a service keeps refusing for another reason, with an error', async () => {
    const failed = { status: 'failed', code: 'internal', failures: 2, events: failedEvents };
    expect(await jobAfter(conflict('The content is not in storage.'), 3)).toStrictEqual(failed);
  });
});
