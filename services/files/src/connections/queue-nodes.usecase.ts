// Makes files with jobs of the nodes of an external bucket. If a file is completed or processing with the current bytes of its
// node, it stays as it is. If it has failed, was cancelled, or has older bytes, it gets a new job.
import {
  encodeId,
  uuidOf,
  type CallContext,
  type changePolicies,
  type ConnectionsOutput,
  type ExpectedJob,
} from '@kiln/contracts';
import { appendEvents, Database, RpcClient, type Transaction } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { BatchStore } from '../batches/batch.store.js';
import { RemovalStore } from '../deletion/removal.store.js';
import { processingRequested, registered } from '../files/file.events.js';
import type { FileRow, NewFile } from '../files/file.rows.js';
import { FileJobStore } from '../processing/file-job.store.js';
import { ConnectionFileStore, type FileOfNode } from '../sources/connection-file.store.js';
import { NewFileStore, type Registration } from '../uploads/new-file.store.js';
import { filenameOf } from './node-filename.domain.js';
import { lockConnection } from './lock-connection.statement.js';
import { RemovedNodeStore } from './removed-node.store.js';
import { isUpToDate } from './up-to-date.domain.js';
import { reserveJobs } from './reserve-jobs.adapter.js';

export type FileNode = ConnectionsOutput<'listFileNodes'>['nodes'][number];

/** A node, and the ids of the file and the job that it gets if it needs them. */
export interface NodeWork {
  node: FileNode;
  fileId: string;
  jobId: string;
}

export interface NodeBatch {
  tenantId: string;
  connectionId: string;
  batchId: string | null;
  processing: FileRow['processing'];
  /** Pages of the plan's hard limit. Null for a plan without one, or when the caller has reserved the pages. */
  pagesLimit: number | null;
  /** `ignore`: a node that has a file gets no new job. Default `reprocess`. */
  onChange?: (typeof changePolicies)[number];
}

/** For nodes of a connections service of the release before. */
const DEFAULT_SPACE = 'default';
/** No signed URL is needed: the bytes are already in the bucket. */
const NO_BYTES_TO_COME = 0;

/** Chooses the ids of a node that has no file yet. */
export const newWork = (node: FileNode): NodeWork => ({ node, fileId: uuidv7(), jobId: uuidv7() });

const expectedJob = ({ node, jobId }: NodeWork): ExpectedJob => ({
  id: encodeId('job', jobId),
  content_type: node.content_type,
  size_bytes: node.size_bytes,
});

const nodeIdOf = ({ node }: NodeWork) => uuidOf('node', node.node_id);

@Injectable()
export class QueueNodes {
  constructor(
    private readonly database: Database,
    private readonly newFiles: NewFileStore,
    private readonly links: ConnectionFileStore,
    private readonly batches: BatchStore,
    private readonly jobs: FileJobStore,
    private readonly removals: RemovalStore,
    private readonly removedNodes: RemovedNodeStore,
    @Inject(RpcClient) private readonly rpc: Pick<RpcClient, 'call'>,
  ) {}

  /**
   * Returns the files that were given a new job. `alongside` runs in the same transaction; when it returns false, the transaction
   * is rolled back and the result is null. Throws QUOTA_EXCEEDED when there is no room for all jobs; then none is made.
   */
  async execute(
    work: readonly NodeWork[],
    batch: NodeBatch,
    context: CallContext,
    alongside: (transaction: Transaction) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<NewFile[] | null> {
    const { database, links, rpc } = this;
    const wanted = outdated(work, batch, await links.ofNodes(database, batch.tenantId, work.map(nodeIdOf)));
    const jobIds = wanted.map(({ jobId }) => jobId);
    const reservation = await reserveJobs(rpc, wanted.map(expectedJob), batch.pagesLimit, context);
    try {
      const rows = await database.transaction((transaction) =>
        this.queue(transaction, wanted, batch, context, alongside),
      );
      const queued = new Set(rows.map((row) => row.job_id));
      await reservation.release(jobIds.filter((id) => !queued.has(id)));
      return rows;
    } catch (error) {
      if (error instanceof OvertakenError) {
        await reservation.release(jobIds);
        return null;
      }
      throw error;
    }
  }

  private async queue(
    transaction: Transaction,
    wanted: readonly NodeWork[],
    batch: NodeBatch,
    { requestId }: CallContext,
    alongside: (transaction: Transaction) => Promise<boolean>,
  ): Promise<NewFile[]> {
    const { newFiles, links, batches, jobs, removals } = this;
    const { tenantId, connectionId, batchId, processing } = batch;
    await lockConnection(transaction, tenantId, connectionId);
    if (!(await alongside(transaction))) throw new OvertakenError();
    // The lock makes another read necessary: files may have been made since the first one.
    const files = await links.ofNodes(transaction, tenantId, wanted.map(nodeIdOf));
    const gone = await this.removedNodes.find(transaction, tenantId, wanted.map(nodeIdOf));
    const due = outdated(wanted, batch, files).filter((one) => !gone.has(nodeIdOf(one)));
    const unknown = due.filter((one) => !files.has(nodeIdOf(one)));
    const registrations = unknown.map((one) => registrationOf(one, batch, requestId));
    const added = [...(await newFiles.insert(transaction, tenantId, registrations, NO_BYTES_TO_COME)).values()];
    await links.link(transaction, tenantId, connectionId, unknown.map(linkOf));
    const known = due.flatMap((one) => jobOf(one, files.get(nodeIdOf(one))));
    const replaced = await jobs.replaceJobs(transaction, { tenantId, batchId }, known, processing);
    if (batchId !== null)
      await batches.add(
        transaction,
        { tenantId, batchId },
        added.map(({ id }) => id),
      );
    await removals.addSuperseded(
      transaction,
      tenantId,
      replaced.map(({ id }) => id),
    );
    await appendEvents(transaction, replaced.flatMap(processingRequested));
    return [...added, ...replaced];
  }
}

/** `alongside` has returned false: another process has taken over. */
class OvertakenError extends Error {}

function outdated(
  work: readonly NodeWork[],
  { onChange }: NodeBatch,
  files: ReadonlyMap<string, FileOfNode>,
): NodeWork[] {
  return work.filter((one) => {
    const file = files.get(nodeIdOf(one));
    return file === undefined || (onChange !== 'ignore' && !isUpToDate(file, one.node));
  });
}

function registrationOf({ node, fileId, jobId }: NodeWork, batch: NodeBatch, requestId: string): Registration {
  const file: NewFile = {
    tenant_id: batch.tenantId,
    id: fileId,
    job_id: jobId,
    batch_id: batch.batchId,
    space: node.space ?? DEFAULT_SPACE,
    filename: filenameOf(node.name),
    content_type: node.content_type,
    size_bytes: node.size_bytes,
    sha256: null,
    source_etag: node.etag,
    status: 'processing',
    metadata: {},
    external_id: null,
    processing: batch.processing,
  };
  return { file, events: registered(file, requestId) };
}

const linkOf = (one: NodeWork) => ({ fileId: one.fileId, nodeId: nodeIdOf(one), path: one.node.path });

const jobOf = ({ node, jobId }: NodeWork, file: FileOfNode | undefined) =>
  file === undefined
    ? []
    : [
        {
          fileId: file.file_id,
          jobId,
          sourceId: null,
          sizeBytes: node.size_bytes,
          etag: node.etag,
          isReplaceable: true,
        },
      ];
