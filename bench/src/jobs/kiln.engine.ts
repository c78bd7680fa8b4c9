// The job engine of the worker role at its shipped settings, without the work itself: claims, leases and fencing tokens, reports,
// pages and events, and the relay that publishes them.
import { encodeId, uuidOf, type EventData, type filesEvents, unknownLabels } from '@kiln/contracts';
import { ClaimStore } from '@kiln/jobs/claims/claim.store';
import { TenantQueueStore } from '@kiln/jobs/claims/tenant-queue.store';
import { LEASE_SECONDS, TEXT_CONCURRENCY } from '@kiln/jobs/config';
import { CompletionStore } from '@kiln/jobs/leases/completion.store';
import { LeaseStore } from '@kiln/jobs/leases/lease.store';
import { JobBatchStore } from '@kiln/jobs/requests/job-batch.store';
import { RequestJobs } from '@kiln/jobs/requests/request-jobs.usecase';
import { RunTimeline } from '@kiln/jobs/runs/domain/run-timeline';
import { jobsWakeUp } from '@kiln/jobs/wake-ups.events';
import { EndRun } from '@kiln/jobs/worker/end-run.usecase';
import { JobWorker } from '@kiln/jobs/worker/job.worker';
import {
  connectBus,
  createLogger,
  Database,
  ensureStreams,
  Metrics,
  OutboxRelay,
  WakeUp,
  type NatsConnection,
} from '@kiln/platform';
import { createTestDatabase, migrateBuiltService, testNamespace, testNats, type TestDatabase } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { until, type JobEngine } from './job-engine.js';

type JobRequest = EventData<(typeof filesEvents)['processingRequested']>;
type RunJob = ConstructorParameters<typeof JobWorker>[0]['runJob'];

const CALL_JOBS = 200;
const CALL_MS = 60_000;
const logger = createLogger({ service: 'bench', role: 'worker', level: 'error' });

function newRequest(): JobRequest {
  return {
    file_id: encodeId('file', uuidv7()),
    job_id: encodeId('job', uuidv7()),
    space: 'default',
    filename: 'note.md',
    content_type: 'text/markdown',
    size_bytes: 2_000,
    batch_id: null,
    ready: true,
    processing: {},
  };
}

/** Reports the steps of a run without doing them. */
const noWork = (onRun: (jobId: string) => void): RunJob => ({
  execute: async (run) => {
    onRun(run.job.id);
    run.slot.leave();
    const timeline = new RunTimeline();
    for (const step of ['extract', 'metadata', 'index', 'finish'] as const) timeline.begin(step, null);
    const found = { contentType: 'text/markdown', provider: 'document_extractor' as const };
    run.report = { step: 'finish', progress: 0.95, ...found, steps: timeline.steps };
    return { ...found, variants: ['markdown', 'metadata', 'searchable-index'], labels: unknownLabels };
  },
});

export class KilnEngine implements JobEngine {
  readonly name: string;
  private readonly requestJobs: RequestJobs;
  private readonly tenantIds: string[];

  private constructor(
    readonly database: Database,
    private readonly created: TestDatabase,
    private readonly connection: NatsConnection,
    private readonly wakeUp: WakeUp,
    private readonly relay: OutboxRelay,
    tenants: number,
  ) {
    this.name = `kiln, ${tenants} tenant${tenants === 1 ? '' : 's'}`;
    this.tenantIds = Array.from({ length: tenants }, () => uuidv7());
    this.requestJobs = new RequestJobs(database, new JobBatchStore(), wakeUp);
  }

  static async start(tenants: number): Promise<KilnEngine> {
    const created = await createTestDatabase();
    await migrateBuiltService('jobs', created.url);
    const options = { url: created.url, schema: 'jobs', lookUps: true, connectionsMax: 10, statementTimeoutMs: 60_000 };
    const database = await Database.open(options, () => {});
    const connection = await connectBus({ url: await testNats(), name: 'bench', logger });
    const namespace = testNamespace();
    await ensureStreams({ connection, namespace, replicas: 1 });
    const metrics = new Metrics('bench', 'all');
    const relay = new OutboxRelay({ database, connection, namespace, replicas: 1, service: 'jobs', logger, metrics });
    relay.start();
    return new KilnEngine(database, created, connection, new WakeUp(connection, namespace), relay, tenants);
  }

  async fill(jobs: number): Promise<void> {
    const share = Math.ceil(jobs / this.tenantIds.length);
    for (const tenantId of this.tenantIds) {
      for (let made = 0; made < share; made += CALL_JOBS) {
        await this.add(tenantId, Array.from({ length: Math.min(CALL_JOBS, share - made) }, newRequest));
      }
    }
  }

  async drain(jobs: number): Promise<void> {
    let begun = 0;
    const worker = this.startWorker(() => begun++);
    await until(() => begun === jobs && worker.runningCount === 0);
    await worker.stop();
    const text = `select count(*)::int as left from jobs where status <> 'completed'`;
    const [row] = await this.database.query<{ left: number }>({ name: '', text });
    if (row?.left !== 0) throw new Error(`${row?.left} jobs were not completed`);
  }

  async wait(onRun: (key: string) => void) {
    const unsent = () =>
      this.database.query({ name: '', text: 'select 1 from outbox where published_at is null limit 1' });
    await until(async () => (await unsent()).length === 0);
    const worker = this.startWorker(onRun);
    const stopListening = this.wakeUp.listenShared(jobsWakeUp('text'), () => worker.wakeUp());
    const [tenantId = ''] = this.tenantIds;
    const add = async () => {
      const request = newRequest();
      await this.add(tenantId, [request]);
      return uuidOf('job', request.job_id);
    };
    const stop = async () => {
      stopListening();
      await worker.stop();
    };
    return { add, stop };
  }

  async backendPids(): Promise<number[]> {
    const text = 'select pid from pg_stat_activity where datname = current_database()';
    return (await this.database.query<{ pid: number }>({ name: '', text })).map(({ pid }) => pid);
  }

  async close(): Promise<void> {
    await this.relay.stop();
    await this.connection.close();
    await this.database.close();
    await this.created.drop();
  }

  private add(tenantId: string, jobs: JobRequest[]): Promise<unknown> {
    const principal = { requestId: 'bench', tenantId, mode: 'live' as const, principal: 'bench' };
    return this.requestJobs.execute({ jobs }, { ...principal, deadlineAt: Date.now() + CALL_MS });
  }

  private startWorker(onRun: (jobId: string) => void): JobWorker {
    const { database } = this;
    const leases = new LeaseStore(database, LEASE_SECONDS);
    const options = { workerId: 'bench', lane: 'text' as const, leaseSeconds: LEASE_SECONDS, batchWaitSeconds: 600 };
    const worker = new JobWorker({
      claims: new ClaimStore(database, new TenantQueueStore(database), options),
      completions: new CompletionStore(database),
      leases,
      runJob: noWork(onRun),
      endRun: new EndRun(database, leases, LEASE_SECONDS, logger),
      logger,
      concurrency: TEXT_CONCURRENCY,
      heartbeatMs: (LEASE_SECONDS * 1_000) / 4,
      onReleased: () => {},
    });
    worker.start();
    return worker;
  }
}
