// Deletes a node, and with a folder its contents. The bucket is not changed, so the next sync adds them again.
import {
  notFound,
  unavailable,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type nodesOperations,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { NodeStore } from './node.store.js';

type DeleteOperation = (typeof nodesOperations)['deleteNode'];

const BATCH_SIZE = 5_000;
const BATCH_MS = 2_000;

@Injectable()
export class DeleteNode {
  constructor(private readonly nodes: NodeStore) {}

  async execute(
    { id }: OperationInput<DeleteOperation>,
    { tenantId, deadlineAt }: CallContext,
  ): Promise<OperationOutput<DeleteOperation>> {
    const node = await this.nodes.find(tenantId, uuidOf('node', id));
    if (!node) throw notFound('No node has this id.');
    // The folder itself is deleted last, so that a request that ran out of time can be repeated.
    if (!node.is_file) {
      while ((await this.nodes.removeWithin(node, BATCH_SIZE)) === BATCH_SIZE) {
        if (Date.now() > deadlineAt - BATCH_MS) throw unavailable('Deleting so large a folder in one request');
      }
    }
    await this.nodes.remove(tenantId, node.id);
    return { deleted: true };
  }
}
