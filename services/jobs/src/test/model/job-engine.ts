// The job engine as the model test drives it: jobs by number, times in whole units, and nothing of how it is done. When the
// inside of the stores and workers changes, this file follows, and the model stays.
import { encodeId, superseded, unknownLabels } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { appendEvents, connectBus, WakeUp, type NatsConnection, type NewEvent } from '@kiln/platform';
import { testNamespace, testNats } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { JobChangeStore } from '../../jobs/job-change.store.js';
import { jobCancelled, jobRetried } from '../../jobs/job.events.js';
import type { ClaimedJob } from '../../jobs/job.rows.js';
import { leaseKey, type Lease } from '../../leases/lease.store.js';
import { FailUpload } from '../../requests/fail-upload.usecase.js';
import { ReclaimWorker } from '../../leases/reclaim.worker.js';
import { EndRun } from '../../worker/end-run.usecase.js';
import {
  completedEvent,
  finishedRun,
  jobRequest,
  leaseOf,
  silentLogger,
  startJobs,
  type JobsHarness,
} from '../jobs-harness.js';
import { LEASE_UNITS, progressOf, type Run } from './run.js';
import { setProcessClocks } from './process-clocks.js';
import { clockOf, UNIT_SECONDS, visibleJobs, type Visible } from './visible-jobs.js';

const transient = { code: 'internal', message: 'Processing failed.', retryable: true } as const;
const expired = { code: 'upload_expired', message: 'Nothing was uploaded.', retryable: false } as const;
const routing = { contentType: 'text/markdown', provider: 'document_extractor', lane: 'sandbox' } as const;

interface KnownJob {
  tenantId: string;
  jobId: string;
  fileId: string;
}

export class JobEngine {
  private readonly jobs: KnownJob[] = [];
  private readonly claimedRows = new Map<string, ClaimedJob>();
  private readonly changes: JobChangeStore;
  private readonly endRun: EndRun;
  private readonly failUpload: FailUpload;
  private readonly reclaimWorker: ReclaimWorker;

  private constructor(
    private readonly kiln: JobsHarness,
    private readonly bus: NatsConnection,
    private readonly tenantIds: readonly string[],
    /** Moves the database's clock forward, or back, by these units. */
    readonly moveClock: (units: number) => Promise<void>,
  ) {
    this.changes = new JobChangeStore();
    this.endRun = new EndRun(kiln.database, kiln.leases, LEASE_UNITS * UNIT_SECONDS, silentLogger);
    this.failUpload = new FailUpload(kiln.jobs, kiln.deletedFiles);
    const wakeUp = new WakeUp(bus, testNamespace());
    this.reclaimWorker = new ReclaimWorker({ ...kiln, wakeUp, logger: silentLogger, pollMs: 1_000 });
  }

  static async start(tenantCount: number): Promise<JobEngine> {
    const kiln = await startJobs({ leaseSeconds: LEASE_UNITS * UNIT_SECONDS });
    const bus = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
    const tenantIds = Array.from({ length: tenantCount }, () => uuidv7());
    return new JobEngine(kiln, bus, tenantIds, await clockOf(kiln));
  }

  /** Forgets everything. */
  async begin(): Promise<void> {
    this.jobs.length = 0;
    this.claimedRows.clear();
    setProcessClocks(0);
    await this.kiln.clear();
  }

  async close(): Promise<void> {
    setProcessClocks(0);
    await this.bus.close();
    await this.kiln.close();
  }

  async visible(): Promise<Visible[]> {
    const jobs = this.jobs.map(({ jobId }) => ({ id: jobId, name: encodeId('job', jobId) }));
    return visibleJobs(this.kiln, jobs);
  }

  /** Makes a job. */
  request(job: number, tenant: number, ready: boolean): Promise<void> {
    const tenantId = this.tenantIds[tenant];
    if (!tenantId) throw new Error('no tenantId');
    this.jobs[job] = { tenantId, jobId: uuidv7(), fileId: uuidv7() };
    return this.upsert(job, ready);
  }

  /** Its bytes have arrived, or the request was repeated. */
  requestAgain(job: number): Promise<void> {
    return this.upsert(job, true);
  }

  /** Null when nothing is due. */
  async claim(): Promise<Run | null> {
    const row = await this.kiln.claimNext();
    return row && this.addRun(row);
  }

  /** Claims up to `jobsMax` jobs. */
  async take(jobsMax: number): Promise<Run[]> {
    const { jobs, drained } = await this.kiln.claims.claim(jobsMax);
    if (drained.length > 0) await this.kiln.claims.removeIdle(drained);
    return jobs.map((row) => this.addRun(row));
  }

  /** Ends runs that did their work; answers those that were missed. */
  async completeTogether(runs: readonly Run[]): Promise<Run[]> {
    const finished = runs.map((run) => ({ run, ...finishedRun(this.rowOf(this.leaseOf(run))) }));
    return (await this.kiln.completions.complete(finished)).map(({ run }) => run);
  }

  /** Whether the lease is still held. */
  async renew(run: Run): Promise<boolean> {
    return (await this.kiln.leases.extend([this.leaseOf(run)])).size === 1;
  }

  report(run: Run): Promise<void> {
    const report = { step: 'index', progress: progressOf(run), provider: null, contentType: null, steps: [] };
    return this.kiln.leases.report([{ lease: this.leaseOf(run), report }]);
  }

  complete(run: Run): Promise<void> {
    const lease = this.leaseOf(run);
    return this.endRun.complete({ lease, event: completedEvent(this.rowOf(lease)) });
  }

  failForGood(run: Run): Promise<void> {
    return this.fail(run, new ExtractionError('corrupt_file', 'The file is damaged.'));
  }

  /** The run got SUPERSEDED: its file was deleted, or has a newer job. */
  giveUp(run: Run): Promise<void> {
    return this.fail(run, superseded('A newer run'));
  }

  /** The work itself failed, and is tried again after `delayUnits`. */
  tryAgain(run: Run, delayUnits: number): Promise<void> {
    const again = { error: transient, counted: true, delaySeconds: delayUnits * UNIT_SECONDS };
    return this.kiln.leases.release(this.leaseOf(run), again);
  }

  /** The worker stops. */
  release(run: Run): Promise<void> {
    return this.endRun.release(this.leaseOf(run));
  }

  /** Whether it had not ended yet. */
  async cancel(job: number): Promise<boolean> {
    return this.change(job, async (on, { tenantId, jobId }) => {
      const cancelled = (await this.changes.cancel(on, tenantId, jobId))?.job;
      return cancelled ? jobCancelled(cancelled) : [];
    });
  }

  /** Whether it was failed. */
  async retry(job: number): Promise<boolean> {
    return this.change(job, async (on, known) => {
      const retried = await this.changes.retry(on, known, routing);
      return retried ? jobRetried(retried) : [];
    });
  }

  /** The bytes did not come in time. */
  expireUploadOf(job: number): Promise<void> {
    return this.kiln.database.transaction((transaction) =>
      this.failUpload.execute(transaction, this.known(job), { error: expired, ...unknownLabels }),
    );
  }

  deleteFileOf(job: number): Promise<void> {
    const { tenantId, fileId } = this.known(job);
    return this.kiln.database.transaction(
      async (transaction) => void (await this.kiln.deletedFiles.deleteJobs(transaction, tenantId, fileId)),
    );
  }

  /** Takes jobs back from workers that no longer renew their leases. */
  reclaim(): Promise<void> {
    return this.reclaimWorker.runRound();
  }

  private upsert(job: number, ready: boolean): Promise<void> {
    const { tenantId, jobId, fileId } = this.known(job);
    const request = { ...jobRequest(jobId, { ready }), file_id: encodeId('file', fileId) };
    return this.kiln.database.transaction(
      async (transaction) =>
        void (await this.kiln.jobBatches.upsert(transaction, tenantId, [{ request, provider: routing.provider }])),
    );
  }

  private change(
    job: number,
    work: (...on: [Parameters<typeof appendEvents>[0], KnownJob]) => Promise<NewEvent[]>,
  ): Promise<boolean> {
    return this.kiln.database.transaction(async (transaction) => {
      const events = await work(transaction, this.known(job));
      if (events.length > 0) await appendEvents(transaction, events);
      return events.length > 0;
    });
  }

  private fail(run: Run, error: unknown): Promise<void> {
    const lease = this.leaseOf(run);
    return this.endRun.fail({ job: this.rowOf(lease), lease }, error);
  }

  private addRun(row: ClaimedJob): Run {
    this.claimedRows.set(leaseKey(leaseOf(row)), row);
    return { job: this.jobs.findIndex(({ jobId }) => jobId === row.id), fence: row.fence };
  }

  private rowOf(lease: Lease): ClaimedJob {
    const row = this.claimedRows.get(leaseKey(lease));
    // No such run.
    if (!row) throw new Error('no row');
    return row;
  }

  private leaseOf({ job, fence }: Run): Lease {
    const { tenantId, jobId } = this.known(job);
    return { tenantId, jobId, fence };
  }

  private known(job: number): KnownJob {
    const known = this.jobs[job];
    if (!known) throw new Error(`there is no job ${job}`);
    return known;
  }
}
