// Real worker processes on a real database, bus and object store, with a watch around all that they do.
import { encodeId, jobsEvents, sourceKey, type CloudEvent } from '@kiln/contracts';
import { connectBus, eventSubject, WakeUp, type NatsConnection } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { startTestService, testNamespace, testNats, testStorage, type TestService } from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { jobsWakeUp } from '../../wake-ups.events.js';
import { ReclaimWorker } from '../../leases/reclaim.worker.js';
import { silentLogger, startJobs, type JobsHarness } from '../jobs-harness.js';
import { startWatchedServices, type AboutFiles, type Committed } from './watched-services.js';
import { openWatchedStore, type WatchedStore } from './watched-store.js';
import { Watch, type Boundary } from './watch.js';

/** A small text is read at once; the text of a large one is stored before the run continues. */
/** Each chunk carries them: all chunks together do not fit into a call. */
const LONG_HEADINGS = Array.from({ length: 6 }, (_, level) => `${'#'.repeat(level + 1)} ${'Kilns '.repeat(80)}\n\n`);

export const TEXTS = {
  small: '# Kilns\n\nA kiln fires clay at a thousand degrees.\n',
  large: LONG_HEADINGS.join('') + 'A kiln fires clay at a thousand degrees.\n\n'.repeat(5_000),
};
const MARKDOWN: AboutFiles = { content_type: 'text/markdown', size_bytes: 10 };
/** All of them can be held at the same time. */
const JOBS_AT_ONCE = 64;

export interface CrashJob {
  tenantId: string;
  jobId: string;
  /** Its id in the contracts. */
  id: string;
}

interface CrashParts {
  kiln: JobsHarness;
  bus: NatsConnection;
  namespace: string;
  watch: Watch;
  store: WatchedStore;
  objects: ObjectStore;
  /** Where workers find the store, by way of the watch. */
  storage: Record<string, string>;
  jobOfFile: Map<string, string>;
}

export class CrashHarness {
  private readonly scratch = mkdtempSync(join(tmpdir(), 'kiln-crashes-'));
  private worker: TestService | null = null;
  private readonly completions: { jobId: string; eventId: string }[] = [];
  private readonly committed: Committed[];
  private readonly wakeUp: WakeUp;

  private constructor(
    private readonly parts: CrashParts,
    about: AboutFiles,
  ) {
    const { bus, namespace, watch } = parts;
    this.committed = startWatchedServices(bus, namespace, watch, about);
    this.wakeUp = new WakeUp(bus, namespace);
    bus.subscribe(eventSubject(namespace, jobsEvents.processingCompleted.type), {
      callback: (_error, message) => {
        const { id, data } = message.json<CloudEvent<{ job_id: string }>>();
        this.completions.push({ jobId: data.job_id, eventId: id });
      },
    });
  }

  static async start(about = MARKDOWN): Promise<CrashHarness> {
    const [kiln, { endpoint, ...account }] = await Promise.all([startJobs(), testStorage()]);
    const bus = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
    const objects = createS3ObjectStore({ endpoint, ...account, forcePathStyle: true });
    await objects.ensureBucket();
    const watch = new Watch();
    const jobOfFile = new Map<string, string>();
    const store = await openWatchedStore(endpoint, watch, (fileId) => jobOfFile.get(fileId) ?? '');
    const storage = {
      KILN_STORAGE_ENDPOINT: store.url,
      KILN_STORAGE_BUCKET: account.bucket,
      KILN_STORAGE_REGION: account.region,
      KILN_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
      KILN_STORAGE_SECRET_ACCESS_KEY: account.secretAccessKey,
      KILN_STORAGE_FORCE_PATH_STYLE: 'true',
    };
    const namespace = testNamespace();
    return new CrashHarness({ kiln, bus, namespace, watch, store, objects, storage, jobOfFile }, about);
  }

  get kiln(): JobsHarness {
    return this.parts.kiln;
  }

  get watch(): Watch {
    return this.parts.watch;
  }

  /** A job whose bytes are in the store, to be held at `boundary` if one is given. Of other bytes it makes markdown alone. */
  async add(text: keyof typeof TEXTS | Buffer, boundary?: Boundary): Promise<CrashJob> {
    const [tenantId, jobId, fileId] = [uuidv7(), uuidv7(), uuidv7()];
    const id = encodeId('job', jobId);
    if (boundary !== undefined) this.watch.hold(id, boundary);
    this.parts.jobOfFile.set(fileId, jobId);
    await this.parts.objects.put(sourceKey(tenantId, fileId), typeof text === 'string' ? TEXTS[text] : text, {
      contentType: 'text/markdown',
    });
    const processing = typeof text === 'string' ? {} : { variants: ['markdown' as const] };
    await this.kiln.add(tenantId, { job_id: id, file_id: encodeId('file', fileId), processing });
    this.wakeUp.send(jobsWakeUp('sandbox'));
    return { tenantId, jobId, id };
  }

  stored({ tenantId, jobId }: CrashJob) {
    return this.kiln.stored(tenantId, jobId);
  }

  /** SIGKILL. Resolves when the process is gone. */
  async killWorker(): Promise<void> {
    const child = this.worker?.process;
    if (!child || child.exitCode !== null) throw new Error('the worker is not running');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    this.watch.releaseAll();
  }

  /** The leases of the dead run out, and their jobs are given to others. */
  async reclaim(): Promise<void> {
    await this.kiln.loseLeases();
    await new ReclaimWorker({ ...this.kiln, wakeUp: this.wakeUp, logger: silentLogger, pollMs: 1_000 }).runRound();
  }

  /** Types of the variants that were committed, each as often as it was. */
  variantsOf({ id }: CrashJob): string[] {
    const own = this.committed.filter(({ job_id }) => job_id === id);
    return own.map(({ type }) => type).toSorted();
  }

  /** Ids of the completions that were published; the stream keeps an id once. */
  completionsOf({ id }: CrashJob): string[] {
    const ids = this.completions.filter(({ jobId }) => jobId === id).map(({ eventId }) => eventId);
    return [...new Set(ids)];
  }

  async startWorker(variables: Record<string, string> = {}): Promise<void> {
    const { kiln, namespace, storage } = this.parts;
    const environment = {
      ...storage,
      KILN_SCRATCH_DIR: this.scratch,
      KILN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      KILN_EXTRACTION_ISOLATION: 'preferred',
      KILN_EXTRACTION_PROCESSES: String(JOBS_AT_ONCE),
      KILN_WORKER_CONCURRENCY: String(JOBS_AT_ONCE),
      ...variables,
    };
    const where = { databaseUrl: kiln.databaseUrl, namespace, environment };
    this.worker = await startTestService({ name: 'jobs', role: 'worker', ...where });
  }

  async close(): Promise<void> {
    const { bus, store, objects, kiln } = this.parts;
    await this.worker?.stop();
    await store.close();
    objects.close();
    await bus.close();
    await kiln.close();
    rmSync(this.scratch, { recursive: true, force: true });
  }
}
