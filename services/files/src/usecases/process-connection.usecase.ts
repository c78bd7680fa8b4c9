// Processes what a connected bucket holds. The first files are queued while the caller waits; the rest follows page by page in the
// background, from where the run says it is, so that a million nodes need no request that lasts.
import {
  CodedError,
  connectionsOperations,
  encodeId,
  FILE_NODES_PER_CALL_MAX,
  PAGE_BYTES_MAX,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type connectionFilesOperations,
} from '@kiln/contracts';
import type { RpcClient } from '@kiln/platform';
import type { ConnectionRun, ConnectionRunStore } from '../store/connection-run.store.js';
import { jobRequest, type JobRequest } from '../store/file.events.js';
import type { NewFile } from '../store/file.rows.js';
import { newWork, type QueueNodes } from './queue-nodes.usecase.js';

type ProcessOperation = (typeof connectionFilesOperations)['processConnection'];
type Output = OperationOutput<ProcessOperation>;

/** Longer than a page takes. */
export const RUN_LEASE_SECONDS = 45;
/** A page of files makes less than the other half of a message. */
const BYTES_BEFORE_LAST_PAGE = PAGE_BYTES_MAX / 2;
/** What a page may take of the time that a caller waits. */
const PAGE_MS = 6_000;

export interface Step {
  queued: NewFile[];
  /** `lost`: another has the run now, and nothing was queued. */
  rest: 'pages' | 'none' | 'lost';
}

export class ProcessConnection {
  constructor(
    private readonly runs: ConnectionRunStore,
    private readonly queueNodes: QueueNodes,
    private readonly rpc: Pick<RpcClient, 'call'>,
    private readonly wakeUp: () => void,
    private readonly filesPerCallMax: number,
  ) {}

  async execute(input: OperationInput<ProcessOperation>, context: CallContext): Promise<Output> {
    const run = await this.begin(input, context);
    if (run === null) return { jobs: [], rest: 'follows' };
    const jobs: JobRequest[] = [];
    let bytes = 0;
    try {
      for (;;) {
        const { queued, rest } = await this.step(run, context);
        const requests = queued.flatMap((row) => jobRequest(row) ?? []);
        jobs.push(...requests);
        bytes += Buffer.byteLength(JSON.stringify(requests));
        if (rest !== 'pages') return { jobs, rest: rest === 'none' ? 'none' : 'follows' };
        if (
          jobs.length >= this.filesPerCallMax ||
          bytes > BYTES_BEFORE_LAST_PAGE ||
          Date.now() > context.deadlineAt - PAGE_MS
        )
          break;
      }
    } catch (error) {
      return await this.interrupted(run, jobs, error);
    }
    await this.runs.release(run, 0, false);
    this.wakeUp();
    return { jobs, rest: 'follows' };
  }

  /** Queues the next page of nodes. Its end ends the run. */
  async step(run: ConnectionRun, context: CallContext): Promise<Step> {
    const { tenant_id: tenantId, batch_id: batchId, connection_id: connectionId, processing } = run;
    const page = {
      connection_id: encodeId('connection', connectionId),
      after: run.position === null ? null : encodeId('node', run.position),
      limit: FILE_NODES_PER_CALL_MAX,
    };
    const { nodes, is_last: isLast } = await this.rpc.call(connectionsOperations.listFileNodes, page, context);
    const last = nodes.at(-1);
    const position = last ? uuidOf('node', last.node_id) : run.position;
    const batch = { tenantId, connectionId, batchId, processing, pagesLimit: run.pages_limit };
    const queued = await this.queueNodes.execute(nodes.map(newWork), batch, context, async (transaction) => {
      const isHeld = await this.runs.advance(transaction, run, position, RUN_LEASE_SECONDS);
      if (isHeld && isLast) await this.runs.end(transaction, run);
      return isHeld;
    });
    if (queued === null) return { queued: [], rest: 'lost' };
    run.position = position;
    return { queued, rest: isLast ? 'none' : 'pages' };
  }

  private begin(input: OperationInput<ProcessOperation>, { tenantId }: CallContext): Promise<ConnectionRun | null> {
    const run = {
      tenant_id: tenantId,
      batch_id: uuidOf('batch', input.batch_id),
      connection_id: uuidOf('connection', input.connection_id),
      processing: input.processing,
      pages_limit: input.pages_limit,
    };
    return this.runs.begin(run, RUN_LEASE_SECONDS);
  }

  /** What was queued stays; what is beyond the quota does not follow by itself, since nobody would know when. */
  private async interrupted(run: ConnectionRun, jobs: JobRequest[], error: unknown): Promise<Output> {
    const code = error instanceof CodedError ? error.code : null;
    if (jobs.length === 0) {
      await this.runs.abandon(run);
      throw error;
    }
    if (code === 'QUOTA_EXCEEDED' || code === 'NOT_FOUND') {
      await this.runs.abandon(run);
      return { jobs, rest: code === 'QUOTA_EXCEEDED' ? 'quota_exceeded' : 'none' };
    }
    await this.runs.release(run, 1, true);
    return { jobs, rest: 'follows' };
  }
}
