// Real: Postgres, NATS, the object store, the disk and its ENOSPC, HTTP to an extractor and to a store that are away, calls to a service without
// a process. Faked: the files and search services, as responders on the bus; the clock of the worker's circuit.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey } from '@kiln/contracts';
import { createRemoteSandbox } from '@kiln/extraction';
import { connectBus, HealthServer, Metrics, RpcClient } from '@kiln/platform';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { eventually, testNamespace, testNats, testStorage } from '@kiln/testing';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { RunServices } from '../runs/run-services.adapter.js';
import { leaseKey, type LeaseStore } from '../leases/lease.store.js';
import { silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { startRuns, type RunHarness, type RunOptions } from '../test/run-harness.js';
import { ClaimCircuit } from './claim-circuit.service.js';
import { EndRun } from './end-run.usecase.js';
import { JobWorker, type JobWorkerOptions } from './job.worker.js';
import { reportClaims } from './report-claims.metrics.js';

const CSV = 'kiln,degrees\nA,1000\n';
/** More than the attempts that a file has. */
const FAULTS = 5;

/** The next run of a postponed job begins only when the spec makes it due. */
const postponedLong = (leases: LeaseStore): LeaseStore =>
  Object.create(leases, {
    release: {
      value: (...[lease, again, ...rest]: Parameters<LeaseStore['release']>) =>
        leases.release(lease, { ...again, delaySeconds: 3_600 }, ...rest),
    },
  }) as LeaseStore;

describe('a fault of the machine or of a part of Kiln', () => {
  let kiln: JobsHarness;
  let runs: RunHarness;
  let worker: JobWorker;
  let health: HealthServer;
  let now = 0;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(async () => {
    await worker.stop();
    await runs.close();
    await kiln.clear();
  });
  afterAll(() => kiln.close());

  async function start(
    options: RunOptions,
    before: (...given: Parameters<JobWorkerOptions['runJob']['execute']>) => Promise<void>,
  ) {
    runs = await startRuns(kiln, options);
    runs.arrived.contentType = 'text/csv';
    const { claims, completions, leases } = kiln;
    worker = new JobWorker({
      claims,
      completions,
      leases,
      endRun: new EndRun(kiln.database, postponedLong(leases), 20, silentLogger),
      runJob: {
        execute: async (run) => {
          await before(run);
          return runs.outcome(run.job, run.signal);
        },
      },
      logger: silentLogger,
      concurrency: 2,
      heartbeatMs: 5_000,
      circuit: new ClaimCircuit(silentLogger, () => now),
      onReleased: () => undefined,
    });
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const { file_id: fileId } = await kiln.stored(tenantId, jobId);
    await runs.objects.put(sourceKey(tenantId, fileId), CSV, { contentType: 'text/csv' });
    health = new HealthServer({ host: '127.0.0.1', port: 0, metrics: new Metrics('test', 'worker') });
    reportClaims(health, { isClaiming: () => worker.isClaiming }, 'needed');
    health.setState('ready');
    worker.start();
    const job = () => kiln.stored(tenantId, jobId);
    /** The next run begins now: its delay and the pause of the worker are over. */
    const goOn = async () => {
      now += 60_000;
      await kiln.sql(`update jobs set due_at = now() - interval '1 minute' where id = $1`, [jobId]);
      await kiln.tenants.restore();
      worker.wakeUp();
    };
    return { job, goOn };
  }

  async function outlasts(
    job: () => Promise<{ status: string; attempts: number; failures: number }>,
    goOn: () => Promise<void>,
  ) {
    for (let run = 1; run <= FAULTS; run++) {
      await eventually(async () => {
        const { status, attempts, failures } = await job();
        expect([status, attempts, failures]).toStrictEqual(['queued', run, 0]);
      });
      const { ready, checks } = await health.readiness();
      expect([ready, checks['claims_sandbox']]).toStrictEqual(run < 3 ? [true, 'ok'] : [false, 'failed']);
      if (run < FAULTS) await goOn();
    }
  }

  it('such as a full disk fails no file, however often it is met, and the worker goes on once there is space', async () => {
    let isFull = true;
    const { job, goOn } = await start({}, async ({ lease }) => {
      const folder = join(runs.scratch, leaseKey(lease));
      await mkdir(folder, { recursive: true });
      // Every write to this device fails with ENOSPC.
      if (isFull) await symlink('/dev/full', join(folder, 'source'));
    });
    await outlasts(job, goOn);
    isFull = false;
    await goOn();
    await eventually(async () => expect((await job()).status).toBe('completed'));
    expect((await job()).attempts).toBe(FAULTS + 1);
    expect((await health.readiness()).ready).toBe(true);
  });

  it('such as an extractor that is away fails no file, however often it is met', async () => {
    const away = createRemoteSandbox({ url: 'http://127.0.0.1:9', deadlineMs: 60_000, patienceMs: 0 });
    const { job, goOn } = await start({ sandbox: away }, () => Promise.resolve());
    await outlasts(job, goOn);
    await away.close();
  });

  it('such as an object store that is away fails no file, however often it is met', async () => {
    const storage = await testStorage();
    const away = createS3ObjectStore({ ...storage, endpoint: 'http://127.0.0.1:9', forcePathStyle: true });
    const { job, goOn } = await start({}, async () => {
      await away.get('a');
    });
    await outlasts(job, goOn);
    away.close();
  });

  it('such as a service without a process fails no file, however often it is met', async () => {
    const connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
    const services = new RunServices(new RpcClient(connection, testNamespace()));
    const { job, goOn } = await start({}, async (run) => {
      await services.begin(run.job);
    });
    await outlasts(job, goOn);
    await connection.close();
  });
});
