// The fixture of the integration specs: the stores of this service on a real, migrated database of their own.
import { encodeId } from '@kiln/contracts';
import { createLogger, Database, migrateService, type Logger } from '@kiln/platform';
import { createTestDatabase, TEST_DATABASE_TIMEOUTS } from '@kiln/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { entities } from '../entities.js';
import { migrations } from '../migrations/index.js';
import { ClaimStore } from '../claims/claim.store.js';
import { CompletionStore, type FinishedRun } from '../leases/completion.store.js';
import type { Lane } from '../claims/lane.domain.js';
import type { RunOutcome } from '../runs/domain/run-outcome.js';
import { JobEntity } from '../jobs/job.entity.js';
import { jobCompleted } from '../jobs/job.events.js';
import type { ClaimedJob, JobRow } from '../jobs/job.rows.js';
import { DeletedFileStore } from '../requests/deleted-file.store.js';
import { JobBatchStore } from '../requests/job-batch.store.js';
import { JobStore, type JobRequest } from '../jobs/job.store.js';
import { LeaseStore, type Lease } from '../leases/lease.store.js';
import { TenantQueueStore } from '../claims/tenant-queue.store.js';
import { statedEvents } from './stated-events.js';

export const silentLogger: Logger = createLogger({ service: 'jobs', role: 'all', level: 'error' }, { write: () => {} });

/** A job with the columns that no contract shows. */
export type StoredJob = JobRow & Pick<JobEntity, 'ready' | 'lost_leases' | 'due_at' | 'lease_expires_at'>;

export interface JobsHarness {
  database: Database;
  databaseUrl: string;
  jobs: JobStore;
  jobBatches: JobBatchStore;
  claims: ClaimStore;
  completions: CompletionStore;
  leases: LeaseStore;
  deletedFiles: DeletedFileStore;
  tenants: TenantQueueStore;
  /** Creates one job. Returns its uuid. */
  add(tenantId: string, overrides?: Partial<JobRequest>): Promise<string>;
  /** Creates `count` ready jobs in one statement. */
  addMany(tenantId: string, count: number): Promise<void>;
  /** Claims until there is a job, or nothing is due. */
  claimNext(): Promise<ClaimedJob | null>;
  /** The same, and fails without a job. */
  claimed(): Promise<{ job: ClaimedJob; lease: Lease }>;
  stored(tenantId: string, jobId: string): Promise<StoredJob>;
  /** Lets the leases of all jobs, or of this one, expire. */
  loseLeases(jobId?: string): Promise<void>;
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Types of the events about this job, in order. */
  eventsOf(jobId: string): Promise<string[]>;
  /** Deletes all jobs, tenants and events. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export const leaseOf = (job: ClaimedJob): Lease => ({
  tenantId: job.tenant_id,
  jobId: job.id,
  fence: job.fence,
});

/** Of a run that made no variants. */
export const bareOutcome: RunOutcome = {
  contentType: 'text/markdown',
  provider: 'document_extractor',
  variants: [],
  labels: { external_id: null, metadata: {} },
};

export const completedEvent = (job: ClaimedJob) => jobCompleted(job, bareOutcome, 12);

/** The end of a run that made no variants. */
export const finishedRun = (job: ClaimedJob): FinishedRun => ({
  lease: leaseOf(job),
  event: completedEvent(job),
});

export function jobRequest(jobId: string, overrides: Partial<JobRequest> = {}): JobRequest {
  return {
    file_id: encodeId('file', uuidv7()),
    job_id: encodeId('job', jobId),
    space: 'default',
    filename: 'report.md',
    content_type: 'text/markdown',
    size_bytes: null,
    batch_id: null,
    ready: true,
    processing: {},
    ...overrides,
  };
}

/** No lease ends by itself. */
const LEASE_SECONDS = 3_600;
export const BATCH_WAIT_SECONDS = 600;
/** The lane of jobs of unknown size. */
export const LANE: Lane = 'sandbox';
/** A job that is due from now on seems later by this at most, if the clock of the machine steps back. */
const CLOCK_STEP_MS = 1_000;
const CLAIM_OPTIONS = { workerId: 'worker', lane: LANE, batchWaitSeconds: BATCH_WAIT_SECONDS };
const LOSE_LEASES = `update jobs set lease_expires_at = now() - interval '1 second'
  where status = 'processing' and ($1::uuid is null or id = $1)`;
const CLEAR = `truncate jobs, job_attempts, waiting_tenants, deleted_files, superseded_jobs,
  page_reservations, usage_entries, usage_totals, engines, outbox`;

export function openDatabase(url: string, connectionsMax = 10): Promise<Database> {
  return Database.open(
    { url, schema: 'jobs', entities, lookUps: true, connectionsMax, ...TEST_DATABASE_TIMEOUTS },
    () => undefined,
  );
}

async function claimNextBy(claims: ClaimStore): Promise<ClaimedJob | null> {
  for (;;) {
    const { jobs, drained } = await claims.claim(1);
    if (jobs[0]) return jobs[0];
    if (drained.length > 0) await claims.removeIdle(drained);
    else {
      const dueInMs = await claims.nextDueInMs([]);
      if (dueInMs === null || dueInMs > CLOCK_STEP_MS) return null;
      await delay(dueInMs);
    }
  }
}

export async function startJobs({ leaseSeconds = LEASE_SECONDS } = {}): Promise<JobsHarness> {
  const created = await createTestDatabase();
  await migrateService({ service: 'jobs', migrations, databaseUrl: created.url });
  const database = await openDatabase(created.url);
  const tenants = new TenantQueueStore(database);
  const jobs = new JobStore(database, database.dataSource.getRepository(JobEntity));
  const jobBatches = new JobBatchStore();
  const claims = new ClaimStore(database, tenants, { ...CLAIM_OPTIONS, leaseSeconds });
  const sql: JobsHarness['sql'] = (text, values) => database.query({ name: '', text }, values);

  const claimNext = () => claimNextBy(claims);
  return {
    database,
    databaseUrl: created.url,
    jobs,
    jobBatches,
    claims,
    completions: new CompletionStore(database),
    tenants,
    claimNext,
    sql,
    leases: new LeaseStore(database, leaseSeconds),
    deletedFiles: new DeletedFileStore(database),
    add: async (tenantId, overrides) => {
      const jobId = uuidv7();
      await database.transaction((transaction) =>
        jobBatches.upsert(transaction, tenantId, [
          { request: jobRequest(jobId, overrides), provider: 'document_extractor' },
        ]),
      );
      return jobId;
    },
    addMany: async (tenantId, count) => {
      await sql(
        `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing)
         select $1, gen_random_uuid(), gen_random_uuid(), 'default', 'a.md', true, '{}' from generate_series(1, $2)`,
        [tenantId, count],
      );
      await tenants.join(database, tenantId, LANE);
    },
    claimed: async () => {
      const job = await claimNext();
      // Nothing is due.
      if (!job) throw new Error('no job');
      return { job, lease: leaseOf(job) };
    },
    stored: async (tenantId, jobId) => {
      const [row] = await sql<StoredJob>('select * from jobs where tenant_id = $1 and id = $2', [tenantId, jobId]);
      if (!row) throw new Error('no row');
      return row;
    },
    loseLeases: async (jobId) => void (await sql(LOSE_LEASES, [jobId ?? null])),
    eventsOf: async (jobId) => {
      const events = await statedEvents(database);
      return events.filter(({ data }) => data.job_id === encodeId('job', jobId)).map(({ type }) => type);
    },
    clear: async () => void (await sql(CLEAR)),
    close: async () => {
      await database.close();
      await created.drop();
    },
  };
}
