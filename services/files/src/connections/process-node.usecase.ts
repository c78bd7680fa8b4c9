// Makes a file with a job of one node. If the node already has a file, the file gets a new job when its bytes have changed. The
// caller has reserved the pages.
import { encodeId, uuidOf, conflict, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Database } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { jobRequest } from '../files/file.events.js';
import { ConnectionFileStore } from '../sources/connection-file.store.js';
import { QueueNodes } from './queue-nodes.usecase.js';

@Injectable()
export class ProcessNode {
  constructor(
    private readonly database: Database,
    private readonly links: ConnectionFileStore,
    private readonly queueNodes: QueueNodes,
  ) {}

  async execute(
    { node, file_id, job_id, processing }: FilesInput<'processNode'>,
    context: CallContext,
  ): Promise<FilesOutput<'processNode'>> {
    const { tenantId } = context;
    const nodeId = uuidOf('node', node.node_id);
    const batch = {
      tenantId,
      connectionId: uuidOf('connection', node.connection_id),
      batchId: null,
      processing,
      pagesLimit: null,
    };
    const work = { node, fileId: uuidOf('file', file_id), jobId: uuidOf('job', job_id) };
    const [queued] = (await this.queueNodes.execute([work], batch, context)) ?? [];
    const job = queued ? jobRequest(queued) : null;
    if (job) return { file_id: job.file_id, job_id: job.job_id, job };
    const file = (await this.links.ofNodes(this.database, tenantId, [nodeId])).get(nodeId);
    if (!file || file.job_id === null) throw conflict('The file of this node has no job. Process the file itself.');
    return { file_id: encodeId('file', file.file_id), job_id: encodeId('job', file.job_id), job: null };
  }
}
