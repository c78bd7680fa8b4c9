// The engine as the worker role runs it, but for the work itself: fair claims over many tenants, leases and fences, attempts
// and events, all of it written.
import { encodeId, type EventData, type filesEvents } from '@kiln/contracts';
import {
  ClaimStore,
  CompletionStore,
  JobBatchStore,
  JOBS_WAKE_UP,
  JobWorker,
  LeaseStore,
  RequestJobs,
  SettleJob,
  TenantQueueStore,
} from '@kiln/jobs/engine';
import { connectBus, createLogger, Database, migrateService, WakeUp, type NatsConnection } from '@kiln/platform';
import { createTestDatabase, testNamespace, testNats, type TestDatabase } from '@kiln/testing';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { Bell, timeEach, until, type JobEngine } from './job-engine.js';

type JobRequest = EventData<(typeof filesEvents)['processingRequested']>;

const LEASE_SECONDS = 20;
const CLAIM_OPTIONS = { workerId: 'bench', leaseSeconds: LEASE_SECONDS, batchWaitSeconds: 600 };
const CALL_JOBS = 200;
const CALL_MS = 60_000;
const migrations = fileURLToPath(new URL('../../../services/jobs/migrations/', import.meta.url));
const logger = createLogger({ service: 'bench', role: 'worker', level: 'error' });

function newRequest(): JobRequest {
  return {
    file_id: encodeId('file', uuidv7()),
    job_id: encodeId('job', uuidv7()),
    space: 'default',
    filename: 'annual-report.pdf',
    content_type: 'application/pdf',
    batch_id: null,
    ready: true,
    processing: {},
  };
}

export class KilnEngine implements JobEngine {
  readonly name: string;
  private readonly requestJobs: RequestJobs;
  private readonly tenantIds: string[];

  private constructor(
    readonly database: Database,
    private readonly created: TestDatabase,
    private readonly connection: NatsConnection,
    private readonly wakeUp: WakeUp,
    tenants: number,
  ) {
    this.name = `kiln, ${tenants} tenant${tenants === 1 ? '' : 's'}`;
    this.tenantIds = Array.from({ length: tenants }, () => uuidv7());
    this.requestJobs = new RequestJobs(database, new JobBatchStore(), wakeUp);
  }

  static async start(tenants: number): Promise<KilnEngine> {
    const created = await createTestDatabase();
    await migrateService({ service: 'jobs', directory: migrations, databaseUrl: created.url });
    const options = { url: created.url, schema: 'jobs', byIndex: true, connectionsMax: 10, statementTimeoutMs: 60_000 };
    const connection = await connectBus({ url: await testNats(), name: 'bench', logger });
    const wakeUp = new WakeUp(connection, testNamespace());
    return new KilnEngine(new Database(options, () => {}), created, connection, wakeUp, tenants);
  }

  async fill(jobs: number): Promise<void> {
    const share = Math.ceil(jobs / this.tenantIds.length);
    for (const tenantId of this.tenantIds) {
      for (let made = 0; made < share; made += CALL_JOBS) await this.add(tenantId, Math.min(CALL_JOBS, share - made));
    }
    await this.database.query({ name: '', text: 'analyze jobs' });
  }

  async drain(jobs: number): Promise<void> {
    let begun = 0;
    const worker = this.startWorker(1_000, () => begun++);
    await until(() => begun === jobs && worker.runningCount === 0);
    await worker.stop();
  }

  async checkDrained(): Promise<void> {
    const text = `select count(*)::int as left from jobs where status <> 'completed'`;
    const [row] = await this.database.query<{ left: number }>({ name: '', text });
    if (row?.left !== 0) throw new Error(`${row?.left} jobs were not completed`);
  }

  async pickUps(samples: number): Promise<number[]> {
    const bell = new Bell();
    const worker = this.startWorker(6, () => bell.ring());
    const stopListening = this.wakeUp.listen(JOBS_WAKE_UP, () => worker.wakeUp());
    const [tenantId = ''] = this.tenantIds;
    const times = await timeEach(
      samples,
      () => this.add(tenantId, 1),
      () => bell.next(),
    );
    stopListening();
    await worker.stop();
    return times;
  }

  async close(): Promise<void> {
    await this.connection.close();
    await this.database.close();
    await this.created.drop();
  }

  private add(tenantId: string, jobs: number): Promise<unknown> {
    const context = {
      requestId: 'bench',
      tenantId,
      mode: 'live' as const,
      principal: 'bench',
      deadlineAt: Date.now() + CALL_MS,
    };
    return this.requestJobs.execute({ jobs: Array.from({ length: jobs }, newRequest) }, context);
  }

  private startWorker(concurrency: number, onRun: () => void): JobWorker {
    const leases = new LeaseStore(this.database, LEASE_SECONDS);
    const worker = new JobWorker({
      claims: new ClaimStore(this.database, new TenantQueueStore(this.database), CLAIM_OPTIONS),
      completions: new CompletionStore(this.database),
      leases,
      runJob: {
        execute: async () => {
          onRun();
          const variants = ['markdown', 'metadata', 'searchable-index'] as const;
          return { contentType: 'text/markdown', provider: 'document_extractor', variants: [...variants] };
        },
      },
      settleJob: new SettleJob(this.database, leases, LEASE_SECONDS, logger),
      logger,
      concurrency,
      sandboxes: concurrency,
      heartbeatMs: (LEASE_SECONDS * 1_000) / 4,
      onReleased: () => {},
    });
    worker.start();
    return worker;
  }
}
