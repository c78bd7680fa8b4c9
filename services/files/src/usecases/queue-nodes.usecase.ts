// Nodes of a connected bucket become files with jobs. A node whose file has the bytes of now, and is completed or at work on it,
// stays as it is; one that has failed, or was cancelled, or has other bytes gets a new job.
import {
  encodeId,
  uuidOf,
  type CallContext,
  type ExpectedJob,
  type OperationOutput,
  type bucketObjectsOperations,
} from '@kiln/contracts';
import { appendEvents, type Database, type RpcClient, type Transaction } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { filenameOf } from '../domain/node-filename.js';
import { isUpToDate } from '../domain/node-result.js';
import type { BatchStore } from '../store/batch.store.js';
import type { ConnectionFileStore, FileOfNode } from '../store/connection-file.store.js';
import { processingRequested, registered } from '../store/file.events.js';
import type { FileRow, NewFile } from '../store/file.rows.js';
import { insertFiles, type Registration } from '../store/new-file.statements.js';
import type { RemovalStore } from '../store/removal.store.js';
import { reserveJobs } from './reserve-jobs.js';

export type FileNode = OperationOutput<(typeof bucketObjectsOperations)['listFileNodes']>['nodes'][number];

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
  /** Where the plan ends hard, and the caller has not reserved pages himself. */
  pagesLimit: number | null;
}

export interface QueueNodesParts {
  database: Database;
  links: ConnectionFileStore;
  batches: BatchStore;
  removals: RemovalStore;
  rpc: Pick<RpcClient, 'call'>;
}

/** Spaces are for uploads to choose. */
const SPACE = 'default';
/** Seconds; only uploads that are still to come are waited for. */
const NO_BYTES_TO_COME = 0;

/** For nodes that nobody has made a file of yet. */
export const newWork = (node: FileNode): NodeWork => ({ node, fileId: uuidv7(), jobId: uuidv7() });

const expectedJob = ({ node, jobId }: NodeWork): ExpectedJob => ({
  id: encodeId('job', jobId),
  content_type: node.content_type,
  size_bytes: node.size_bytes,
});

const nodeIdOf = ({ node }: NodeWork) => uuidOf('node', node.node_id);

export class QueueNodes {
  constructor(private readonly parts: QueueNodesParts) {}

  /**
   * The files that have a new job now. `alongside` is part of the transaction; where it answers false that is undone, and the answer is null. Throws
   * QUOTA_EXCEEDED when there is no room for all of them: then none has one.
   */
  async execute(
    work: readonly NodeWork[],
    batch: NodeBatch,
    context: CallContext,
    alongside: (transaction: Transaction) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<NewFile[] | null> {
    const { database, links, rpc } = this.parts;
    const wanted = needed(work, await links.ofNodes(database, batch.tenantId, work.map(nodeIdOf)));
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
    const { links, batches, removals } = this.parts;
    const { tenantId, connectionId, batchId, processing } = batch;
    await links.lock(transaction, tenantId, connectionId);
    if (!(await alongside(transaction))) throw new OvertakenError();
    // Once more, now that nobody else does the same.
    const files = await links.ofNodes(transaction, tenantId, wanted.map(nodeIdOf));
    const due = needed(wanted, files);
    const fresh = due.filter((one) => !files.has(nodeIdOf(one)));
    const registrations = fresh.map((one) => registrationOf(one, batch, requestId));
    const added = [...(await insertFiles(transaction, tenantId, registrations, NO_BYTES_TO_COME)).values()];
    await links.link(transaction, tenantId, connectionId, fresh.map(linkOf));
    const known = due.flatMap((one) => jobOf(one, files.get(nodeIdOf(one))));
    const replaced = await batches.replaceJobs(transaction, { tenantId, batchId }, known, processing);
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

/** What goes along with the page could not be written: another has taken over. */
class OvertakenError extends Error {}

function needed(work: readonly NodeWork[], files: ReadonlyMap<string, FileOfNode>): NodeWork[] {
  return work.filter((one) => {
    const file = files.get(nodeIdOf(one));
    return file === undefined || !isUpToDate(file, one.node);
  });
}

function registrationOf({ node, fileId, jobId }: NodeWork, batch: NodeBatch, requestId: string): Registration {
  const file: NewFile = {
    tenant_id: batch.tenantId,
    id: fileId,
    job_id: jobId,
    batch_id: batch.batchId,
    space: SPACE,
    filename: filenameOf(node.name),
    content_type: node.content_type,
    size_bytes: node.size_bytes,
    sha256: null,
    source_etag: node.etag,
    status: 'processing',
    metadata: {},
    processing: batch.processing,
  };
  return { file, events: registered(file, requestId) };
}

const linkOf = (one: NodeWork) => ({ fileId: one.fileId, nodeId: nodeIdOf(one), path: one.node.path });

const jobOf = ({ node, jobId }: NodeWork, file: FileOfNode | undefined) =>
  file === undefined ? [] : [{ fileId: file.file_id, jobId, sizeBytes: node.size_bytes, etag: node.etag }];
