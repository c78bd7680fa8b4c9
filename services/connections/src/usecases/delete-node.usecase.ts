// Forgets a node, and with a folder what lies in it. The bucket is left alone; the next sync finds its objects again.
import {
  notFound,
  unavailable,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type nodesOperations,
} from '@kiln/contracts';
import type { NodeStore } from '../store/node.store.js';

type DeleteOperation = (typeof nodesOperations)['deleteNode'];

const BATCH_SIZE = 5_000;
const BATCH_MS = 2_000;

export class DeleteNode {
  constructor(private readonly nodes: NodeStore) {}

  async execute(
    { id }: OperationInput<DeleteOperation>,
    { tenantId, deadlineAt }: CallContext,
  ): Promise<OperationOutput<DeleteOperation>> {
    const node = await this.nodes.find(tenantId, uuidOf('node', id));
    if (!node) throw notFound('No node has this id.');
    // The folder itself goes last: who has run out of time can ask again.
    if (!node.is_file) {
      while ((await this.nodes.removeWithin(node, BATCH_SIZE)) === BATCH_SIZE) {
        if (Date.now() > deadlineAt - BATCH_MS) throw unavailable('Deleting so large a folder at once');
      }
    }
    await this.nodes.remove(tenantId, node.id);
    return { deleted: true };
  }
}
