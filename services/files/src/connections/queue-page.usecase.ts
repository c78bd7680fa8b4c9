// Queues one page of a connection's nodes, and moves the run's position in the same transaction.
import { connectionsOperations, encodeId, FILE_NODES_PER_CALL_MAX, uuidOf, type CallContext } from '@kiln/contracts';
import { RpcClient } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { NewFile } from '../files/file.rows.js';
import { ConnectionRunStore, type ConnectionRun } from './connection-run.store.js';
import { newWork, QueueNodes } from './queue-nodes.usecase.js';

/** A page takes less time. */
export const RUN_LEASE_SECONDS = 45;

export interface QueuedPage {
  queued: NewFile[];
  /** The work that remains after this page. `lost`: another process holds the lease, and nothing was queued. */
  rest: 'pages' | 'none' | 'lost';
}

@Injectable()
export class QueuePage {
  constructor(
    private readonly runs: ConnectionRunStore,
    private readonly queueNodes: QueueNodes,
    @Inject(RpcClient) private readonly rpc: Pick<RpcClient, 'call'>,
  ) {}

  /** The last page ends the run. */
  async execute(run: ConnectionRun, context: CallContext): Promise<QueuedPage> {
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
}
