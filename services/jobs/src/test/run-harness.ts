// A run with a real object store and a real bus. Behind the bus: small responders that stand for the files service (it
// keeps committed variants, and can fail at a chosen operation) and the search service.
import {
  CodedError,
  filesOperations,
  searchOperations,
  sourceKey,
  uuidOf,
  type CallContext,
  type Operation,
  type OperationInput,
} from '@kiln/contracts';
import { createSandbox, type Sandbox } from '@kiln/extraction';
import { ProviderHttp } from '@kiln/extraction/remote';
import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import {
  connectBus,
  embeddingVariables,
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
import { z } from 'zod';
import { BucketDownload } from '../adapters/bucket-download.js';
import type { RunOutcome } from '../domain/run-outcome.js';
import { RunQuota } from '../adapters/run-quota.js';
import { managedPolicy, type RunPolicy } from '../domain/run-policy.js';
import type { ClaimedJob } from '../store/job.rows.js';
import { PageReservationStore } from '../store/page-reservation.store.js';
import { RunUsageStore } from '../store/run-usage.store.js';
import { RunJob } from '../workers/run-job.js';
import { runSteps } from '../workers/run-steps.js';
import { leaseOf, silentLogger, type JobsHarness } from './jobs-harness.js';

type Committed = OperationInput<(typeof filesOperations)['commitVariant']>;
type Finished = OperationInput<(typeof filesOperations)['finishProcessing']>;
type Indexed = OperationInput<(typeof searchOperations)['indexFile']>;

export interface RunHarness {
  objects: ObjectStore;
  /** What the stand-in for the files service has been told, and whether it fails now. */
  committed: Committed[];
  indexed: Indexed[];
  /** Subject of the operation that answers UNAVAILABLE; null when all work. */
  away: { subject: string | null };
  /** The version, the hash and the type of the bytes that the stand-in for the files service names. */
  arrived: { etag: string | null; sha256: string | null; contentType: string };
  /** The hashes that runs have named when they finished. */
  hashes: (string | null | undefined)[];
  /** How often a document was really read. */
  extractions(): number;
  /** What a run of the job comes to; `run` answers the variants alone. `onLeave` is called when it needs no sandbox any more. */
  outcome(job: ClaimedJob, signal?: AbortSignal, onLeave?: () => void): Promise<RunOutcome>;
  run(job: ClaimedJob, signal?: AbortSignal, onLeave?: () => void): Promise<RunOutcome['variants']>;
  /** Names in the scratch folder. */
  scratch: string;
  close(): Promise<void>;
}

const INPUT_BYTES_MAX = 100_000;

/** Counts the documents that this sandbox reads from now on. */
function countExtractions(sandbox: Sandbox): () => number {
  const extract = sandbox.extract.bind(sandbox);
  let count = 0;
  sandbox.extract = (input, signal) => {
    count++;
    return extract(input, signal);
  };
  return () => count;
}

function startStandIns(connection: NatsConnection, namespace: string) {
  const committed: Committed[] = [];
  const indexed: Indexed[] = [];
  const away: RunHarness['away'] = { subject: null };
  const arrived: RunHarness['arrived'] = { etag: null, sha256: null, contentType: 'text/markdown' };
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
      if (away.subject === operation.subject) throw new CodedError('UNAVAILABLE', 'Away.');
      return handler(input, context);
    });
  const variantsOf = (fileId: string) => committed.filter((variant) => variant.file_id === fileId);
  answer(filesOperations.beginProcessing, (input, { tenantId }) => {
    const { file_id } = input as Committed;
    return {
      space: 'default',
      filename: 'report.md',
      content_type: arrived.contentType,
      size_bytes: 10,
      metadata: {},
      source_key: sourceKey(tenantId, uuidOf('file', file_id)),
      source_etag: arrived.etag,
      sha256: arrived.sha256,
      job_number: 1,
      variants: variantsOf(file_id),
    };
  });
  answer(filesOperations.commitVariant, (input) => {
    committed.push(input as Committed);
    return { id: 'var_01jjjjjjjjjjjjjjjjjjjjjjjj' };
  });
  answer(filesOperations.finishProcessing, (input) => {
    const { file_id, sha256 } = input as Finished;
    hashes.push(sha256);
    return { variants: variantsOf(file_id).map(({ type }) => type) };
  });
  answer(searchOperations.indexFile, (input) => {
    indexed.push(input as Indexed);
    return { chunks: 1 };
  });
  return { committed, indexed, away, arrived, hashes };
}

export interface RunOptions {
  /** Variables of engines, as the operator sets them. */
  environment?: Record<string, string>;
  /** What the organization has chosen. */
  policy?: Partial<RunPolicy>;
}

const variables = z.object({ ...extractorVariables, ...embeddingVariables });

export async function startRuns(
  { leases, database }: Pick<JobsHarness, 'leases' | 'database'>,
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
  const sandbox = createSandbox({ processes: 1 });
  const http = new ProviderHttp();
  const policy = new OutboundPolicy({ allow: '127.0.0.0/8' });
  const dispatcher = createGuardedAgent({ policy, connectTimeoutMs: 5_000, keepAliveMs: 1_000 });
  const config = { ...loadConfig(variables, options.environment ?? {}), KILN_EXTRACTION_INPUT_BYTES: INPUT_BYTES_MAX };
  const extractions = countExtractions(sandbox);
  const runJob = new RunJob({
    rpc,
    leases,
    scratchDirectory: scratch,
    logger: silentLogger,
    usage: new RunUsageStore(database),
    quota: new RunQuota(database, new PageReservationStore(database)),
    policies: { of: () => ({ ...managedPolicy, ...options.policy }) },
    ...runSteps(config, {
      objects,
      sandbox,
      http,
      rpc,
      buckets: new BucketDownload(dispatcher),
      metrics: new Metrics('test', 'all'),
      logger: silentLogger,
    }),
  });
  const outcome: RunHarness['outcome'] = (job, signal = new AbortController().signal, onLeave = () => undefined) =>
    runJob.execute({ job, lease: leaseOf(job), signal, place: { leave: onLeave } });
  return {
    objects,
    ...standIns,
    scratch,
    extractions,
    outcome,
    run: async (job, signal, onLeave) => (await outcome(job, signal, onLeave)).variants,
    close: async () => {
      await sandbox.close();
      await http.close();
      await dispatcher.destroy();
      await connection.close();
      objects.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
