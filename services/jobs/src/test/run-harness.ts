// A run with a real object store and a real bus. Behind the bus: small responders in place of the files service (it
// keeps committed variants, and can fail at a chosen operation) and the search service.
import {
  CodedError,
  filesOperations,
  searchOperations,
  sourceKey,
  uuidOf,
  type CallContext,
  type MadeVariant,
  type FileToIndex,
  type Operation,
  type OperationInput,
} from '@kiln/contracts';
import { createSandbox, type Sandbox } from '@kiln/extraction';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import {
  connectBus,
  embeddingVariables,
  encryptionVariables,
  extractorVariables,
  loadConfig,
  Metrics,
  RpcClient,
  RpcServer,
  type NatsConnection,
} from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { testNamespace, testNats, testStorage } from '@kiln/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { callbackVariables, TEXT_BYTES } from '../config.js';
import { EngineAdmissions } from '../engines/engine-admissions.service.js';
import { EngineStore } from '../engines/engine.store.js';
import { ExtractionStore } from '../extractions/extraction.store.js';
import { BucketDownload } from '../runs/bucket/bucket-download.adapter.js';
import type { RunOutcome } from '../runs/domain/run-outcome.js';
import { RunQuota } from '../runs/run-quota.service.js';
import { RunServices, type OpenedSource } from '../runs/run-services.adapter.js';
import type { RunPolicy } from '../organization/policies/run-policy.domain.js';
import { managedPolicy } from './managed-policy.js';
import type { ClaimedJob } from '../jobs/job.rows.js';
import { PageReservationStore } from '../organization/pages/page-reservation.store.js';
import { ProgressSignals } from '../runs/progress-signals.service.js';
import { ProgressReports } from '../runs/progress-reports.service.js';
import { RunJob } from '../runs/run-job.usecase.js';
import { runSteps } from '../runs/run-steps.usecase.js';
import { SourceFile } from '../runs/steps/source-file.service.js';
import { TextMemory } from '../runs/text-memory.service.js';
import { leaseOf, silentLogger, type JobsHarness } from './jobs-harness.js';

type Begun = OperationInput<(typeof filesOperations)['beginRuns']>;
type Committing = OperationInput<(typeof filesOperations)['commitVariants']>;
type Finishing = OperationInput<(typeof filesOperations)['finishRuns']>;
type Committed = MadeVariant & Begun['runs'][number];

const BYTES = { etag: null, sha256: null, contentType: 'text/markdown', source: null };

export interface RunHarness {
  objects: ObjectStore;
  /** Variants that were committed at the stand-in for the files service. */
  committed: Committed[];
  indexed: FileToIndex[];
  /** Subjects of operations that answer UNAVAILABLE. */
  away: { subjects: string[] };
  /** The names of the file, and the version, the hash and the type of its bytes, that the stand-in for the files service returns. */
  arrived: {
    space: string;
    filename: string;
    etag: string | null;
    sha256: string | null;
    contentType: string;
    /** Of a file in a connected bucket. */
    source: OpenedSource | null;
  };
  /** The hashes that runs have named when they finished. */
  hashes: (string | null)[];
  /** How often a document was really read. */
  extractions(): number;
  /** The content of the variant of this type that was committed last. */
  contentOf(type: string): Promise<string>;
  /** What a run of the job comes to; `run` answers the variants alone. `onLeave` is called when it needs no sandbox any more. */
  outcome(job: ClaimedJob, signal?: AbortSignal, onLeave?: () => void): Promise<RunOutcome>;
  run(job: ClaimedJob, signal?: AbortSignal, onLeave?: () => void): Promise<RunOutcome['variants']>;
  /** Names in the scratch folder. */
  scratch: string;
  close(): Promise<void>;
}

const INPUT_BYTES_MAX = 2_000_000;

/** The sandbox, and how many documents it has read for this harness. */
function countExtractions(sandbox: Sandbox): { counted: Sandbox; extractions: () => number } {
  let count = 0;
  const counted: Sandbox = {
    name: sandbox.name,
    supports: (contentType) => sandbox.supports(contentType),
    extract: (...given) => {
      count++;
      return sandbox.extract(...given);
    },
    countPages: (...given) => sandbox.countPages(...given),
    makeThumbnail: (...given) => sandbox.makeThumbnail(...given),
    drawPage: (...given) => sandbox.drawPage(...given),
    readProperties: (...given) => sandbox.readProperties(...given),
    checkIsolation: () => sandbox.checkIsolation(),
    stats: () => sandbox.stats(),
    pids: () => sandbox.pids(),
    close: () => sandbox.close(),
  };
  return { counted, extractions: () => count };
}

function startStandIns(connection: NatsConnection, namespace: string) {
  const committed: Committed[] = [];
  const indexed: FileToIndex[] = [];
  const away: RunHarness['away'] = { subjects: [] };
  const arrived: RunHarness['arrived'] = { ...BYTES, space: 'default', filename: 'report.md' };
  const hashes: RunHarness['hashes'] = [];
  const server = new RpcServer({
    connection,
    namespace,
    service: 'stand-in',
    logger: silentLogger,
    metrics: new Metrics('test', 'all'),
  });
  const answer = (operation: Operation, handler: (input: unknown, context: CallContext) => unknown) =>
    server.listen(operation, async (input, context) => {
      if (away.subjects.includes(operation.subject)) throw new CodedError('UNAVAILABLE', 'Away.');
      return handler(input, context);
    });
  const variantsOf = (fileId: string) => committed.filter((variant) => variant.file_id === fileId);
  const commit = ({ file_id, job_id, fence, variants }: Committing) => {
    for (const variant of variants) {
      const index = committed.findIndex((other) => other.file_id === file_id && other.type === variant.type);
      const made = { file_id, job_id, fence, ...variant };
      if (index === -1) committed.push(made);
      else committed[index] = made;
    }
  };
  answer(filesOperations.beginRuns, (input, { tenantId }) => ({
    runs: (input as Begun).runs.map(({ file_id }) => ({
      refusal: null,
      file: {
        space: arrived.space,
        filename: arrived.filename,
        content_type: arrived.contentType,
        size_bytes: 10,
        metadata: {},
        source_key: sourceKey(tenantId, uuidOf('file', file_id)),
        is_in_bucket: arrived.source !== null,
        source_etag: arrived.etag,
        sha256: arrived.sha256,
        job_number: 1,
        variants: variantsOf(file_id),
      },
    })),
  }));
  answer(filesOperations.openSource, () => arrived.source);
  answer(filesOperations.commitVariants, (input) => {
    commit(input as Committing);
    return {};
  });
  answer(filesOperations.finishRuns, (input) => ({
    runs: (input as Finishing).runs.map(({ sha256, ...run }) => {
      hashes.push(sha256);
      commit(run);
      return {
        variants: variantsOf(run.file_id)
          .map(({ type }) => type)
          .toSorted(),
        refusal: null,
      };
    }),
  }));
  answer(searchOperations.indexFiles, (input) => {
    const { files } = input as OperationInput<(typeof searchOperations)['indexFiles']>;
    indexed.push(...files);
    return { files: files.map(() => ({ chunks: 1, refusal: null })) };
  });
  return { committed, indexed, away, arrived, hashes };
}

/** Runs a job as a worker does, which writes the last report with the end of the run. */
const outcomesOf =
  (runJob: RunJob, reports: ProgressReports): RunHarness['outcome'] =>
  async (job, signal = new AbortController().signal, onLeave = () => undefined) => {
    const run = { job, lease: leaseOf(job), signal, slot: { leave: onLeave }, report: null, labels: undefined };
    try {
      return await runJob.execute(run);
    } finally {
      await reports.write([run]);
    }
  };

async function contentOf(objects: ObjectStore, variant: Committed | undefined): Promise<string> {
  if (!variant) throw new Error('no such variant was committed');
  return variant.content ?? text((await objects.get(variant.content_key ?? '')).body);
}

export interface RunOptions {
  /** Variables of engines, as the operator sets them. */
  environment?: Record<string, string>;
  /** The choices of the organization. */
  policy?: Partial<RunPolicy>;
  /** Shared with other harnesses. The caller closes it. Default: an own one. */
  sandbox?: Sandbox;
  textMemory?: TextMemory;
  /** Default: none is, however slow the machine. */
  expensiveMs?: number;
}

const variables = z.object({
  ...extractorVariables,
  ...embeddingVariables,
  ...callbackVariables,
  ...encryptionVariables,
});
/** Opens callback URLs as the gateway does. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

export async function startRuns(
  { jobs, leases, database }: Pick<JobsHarness, 'jobs' | 'leases' | 'database'>,
  options: RunOptions = {},
): Promise<RunHarness> {
  const [url, storage] = await Promise.all([testNats(), testStorage()]);
  const namespace = testNamespace();
  const connection = await connectBus({ url, name: 'test', logger: silentLogger });
  const rpc = new RpcClient(connection, namespace);
  const objects = createS3ObjectStore({ ...storage, forcePathStyle: true });
  await objects.ensureBucket();
  const standIns = startStandIns(connection, namespace);
  const scratch = mkdtempSync(join(tmpdir(), 'kiln-runs-'));
  const sandbox = options.sandbox ?? createSandbox({ processes: 1, isolation: 'preferred' });
  const http = new ProviderHttp();
  const policy = new OutboundPolicy({ allow: '127.0.0.0/8' });
  const dispatcher = createGuardedAgent({ policy, connectTimeoutMs: 5_000, keepAliveMs: 1_000 });
  const environment = { KILN_ENCRYPTION_KEY: ENCRYPTION_KEY, ...options.environment };
  const config = { ...loadConfig(variables, environment), KILN_EXTRACTION_INPUT_BYTES: INPUT_BYTES_MAX };
  const { counted, extractions } = countExtractions(sandbox);
  const services = new RunServices(rpc);
  const reports = new ProgressReports(leases, new ProgressSignals({ send: () => undefined }), silentLogger);
  const runJob = new RunJob({
    jobs,
    services,
    objects,
    reports,
    scratchDirectory: scratch,
    textMemory: options.textMemory ?? new TextMemory(TEXT_BYTES),
    logger: silentLogger,
    quota: new RunQuota(database, new PageReservationStore(database)),
    policies: { of: () => ({ ...managedPolicy, ...options.policy }) },
    ...runSteps(config, {
      objects,
      sandbox: counted,
      http,
      outsideHttp: new ProviderHttp({ dispatcher }),
      extractions: new ExtractionStore(database),
      admissions: new EngineAdmissions(new EngineStore(database), silentLogger),
      services,
      source: new SourceFile(objects, config.KILN_EXTRACTION_INPUT_BYTES, new BucketDownload(dispatcher)),
      metrics: new Metrics('test', 'all'),
      logger: silentLogger,
      expensiveMs: options.expensiveMs ?? Number.POSITIVE_INFINITY,
    }),
  });
  const outcome = outcomesOf(runJob, reports);
  return {
    objects,
    ...standIns,
    scratch,
    extractions,
    contentOf: (type) =>
      contentOf(
        objects,
        standIns.committed.findLast((variant) => variant.type === type),
      ),
    outcome,
    run: async (job, signal, onLeave) => (await outcome(job, signal, onLeave)).variants,
    close: async () => {
      if (!options.sandbox) await sandbox.close();
      await http.close();
      await dispatcher.destroy();
      await connection.close();
      objects.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
