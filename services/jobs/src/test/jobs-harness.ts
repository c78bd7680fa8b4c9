// What the integration specs share: the stores of this service on a real, migrated database of their own.
import { encodeId } from '@kiln/contracts';
import { createLogger, Database, migrateService, type Logger } from '@kiln/platform';
import { createTestDatabase } from '@kiln/testing';
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { ClaimStore } from '../store/claim.store.js';
import { CompletionStore, type FinishedRun } from '../store/completion.store.js';
import type { RunOutcome } from '../domain/run-outcome.js';
import { jobCompleted } from '../store/job.events.js';
import type { ClaimedJob, JobRow } from '../store/job.rows.js';
import { DeletedFileStore } from '../store/deleted-file.store.js';
import { JobBatchStore } from '../store/job-batch.store.js';
import { JobStore, type JobRequest } from '../store/job.store.js';
import { LeaseStore, type LeasedRun } from '../store/lease.store.js';
import { TenantQueueStore } from '../store/tenant-queue.store.js';
import { placeJobs } from './place-jobs.js';
import { statedEvents } from './stated-events.js';

export const silentLogger: Logger = createLogger({ service: 'jobs', role: 'all', level: 'error' }, { write: () => {} });

/** A job's row as the database keeps it, with what no contract shows. */
export interface StoredJob extends JobRow {
  ready: boolean;
  lost_leases: number;
  run_after: Date;
  lease_ends_at: Date | null;
}

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
  /** Makes one job; answers its uuid. */
  add(tenantId: string, overrides?: Partial<JobRequest>): Promise<string>;
  /** Makes `count` ready jobs in one statement each for jobs and queue. */
  addMany(tenantId: string, count: number): Promise<void>;
  /** Claims until there is a job, or nothing is due. */
  claimNext(): Promise<ClaimedJob | null>;
  /** The same, and fails without a job. */
  claimed(): Promise<{ job: ClaimedJob; lease: LeasedRun }>;
  stored(tenantId: string, jobId: string): Promise<StoredJob>;
  /** The worker of each run, or of the job's, has renewed its lease for the last time long ago. */
  loseLeases(jobId?: string): Promise<void>;
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Types of the events that were stated about this job, in order. */
  eventsOf(jobId: string): Promise<string[]>;
  /** Forgets all jobs, tenants and events. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export const leaseOf = (job: ClaimedJob): LeasedRun => ({
  tenantId: job.tenant_id,
  jobId: job.id,
  fence: job.fence,
  leaseId: job.lease_id,
});

/** Of a run that made no variants. */
export const bareOutcome: RunOutcome = { contentType: 'text/markdown', provider: 'document_extractor', variants: [] };

export const completedEvent = (job: ClaimedJob) => jobCompleted(job, bareOutcome);

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
    batch_id: null,
    ready: true,
    processing: {},
    ...overrides,
  };
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const LEASE_SECONDS = 20;
export const BATCH_WAIT_SECONDS = 600;
const CLAIM_OPTIONS = { workerId: 'worker', batchWaitSeconds: BATCH_WAIT_SECONDS };
const LOSE_LEASES = `update worker_leases set expires_at = now() - interval '1 second'
  where $1::uuid is null or $1 = any (job_ids)`;
const STORED = `select j.*, (
    select expires_at from worker_leases l cross join lateral unnest(job_ids, fences) as run (id, fence)
    where l.tenant_id = j.tenant_id and run.id = j.id and run.fence = j.fence and j.status = 'processing') as lease_ends_at
  from jobs j where tenant_id = $1 and id = $2`;
const CLEAR = `truncate jobs, queued_jobs, worker_leases, ended_jobs, job_attempts, waiting_tenants, deleted_files,
  page_reservations, usage_entries, usage_totals, outbox`;

export function openDatabase(url: string, connectionsMax = 10): Database {
  return new Database(
    { url, schema: 'jobs', byIndex: true, connectionsMax, statementTimeoutMs: 10_000 },
    () => undefined,
  );
}

export async function startJobs({ leaseSeconds = LEASE_SECONDS } = {}): Promise<JobsHarness> {
  const created = await createTestDatabase();
  await migrateService({ service: 'jobs', directory: MIGRATIONS, databaseUrl: created.url });
  const database = openDatabase(created.url);
  const tenants = new TenantQueueStore(database);
  const jobs = new JobStore(database);
  const jobBatches = new JobBatchStore();
  const claims = new ClaimStore(database, tenants, { ...CLAIM_OPTIONS, leaseSeconds });
  const sql: JobsHarness['sql'] = (text, values) => database.query({ name: '', text }, values);

  const claimNext = async () => {
    for (;;) {
      const claim = await claims.claim();
      if (claim === 'none') return null;
      if (typeof claim === 'object') return claim;
    }
  };
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
      await placeJobs({ sql });
      await tenants.join(database, tenantId);
    },
    claimed: async () => {
      const job = await claimNext();
      assert.ok(job, 'nothing is due');
      return { job, lease: leaseOf(job) };
    },
    stored: async (tenantId, jobId) => {
      const [row] = await sql<StoredJob>(STORED, [tenantId, jobId]);
      assert.ok(row);
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
