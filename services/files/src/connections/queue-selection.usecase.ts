// Queues the nodes of a selection, and ends the selection in the same transaction. Nodes that are gone, or that the connection no longer
// selects, get no job.
import { connectionsOperations, encodeId, uuidOf, type CallContext } from '@kiln/contracts';
import { RpcClient } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { NodeSelectionStore, type NodeSelection } from './node-selection.store.js';
import { newWork, QueueNodes } from './queue-nodes.usecase.js';

@Injectable()
export class QueueSelection {
  constructor(
    private readonly selections: NodeSelectionStore,
    private readonly queueNodes: QueueNodes,
    @Inject(RpcClient) private readonly rpc: Pick<RpcClient, 'call'>,
  ) {}

  /** Does nothing when the lease is lost. Throws QUOTA_EXCEEDED when there is no room for all jobs; then none is made. */
  async execute(selection: NodeSelection, context: CallContext): Promise<void> {
    const { tenant_id: tenantId, connection_id: connectionId, node_ids: nodeIds } = selection;
    const asked = {
      connection_id: encodeId('connection', connectionId),
      node_ids: nodeIds.map((id) => encodeId('node', id)),
    };
    const answer = await this.rpc.call(connectionsOperations.getSelectedNodes, asked, context);
    const { nodes, on_change: onChange, pages_limit: pagesLimit } = answer;
    const rest = answer.rest.map((id) => uuidOf('node', id));
    const batch = { tenantId, connectionId, batchId: null, processing: {}, pagesLimit, onChange };
    await this.queueNodes.execute(nodes.map(newWork), batch, context, (transaction) =>
      this.selections.finish(transaction, selection, rest),
    );
  }
}
