// Deletes the files of nodes whose objects are gone. A page of nodes that was read before makes no file of them afterwards.
import { appendEvents, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { DeletionStore } from '../deletion/deletion.store.js';
import { fileDeleted } from '../files/file.events.js';
import { ConnectionFileStore } from '../sources/connection-file.store.js';
import { lockConnection } from './lock-connection.statement.js';
import { RemovedNodeStore } from './removed-node.store.js';

export interface RemovedNodes {
  tenantId: string;
  connectionId: string;
  nodeIds: readonly string[];
}

@Injectable()
export class DeleteNodeFiles {
  constructor(
    private readonly links: ConnectionFileStore,
    private readonly removedNodes: RemovedNodeStore,
    private readonly deletions: DeletionStore,
  ) {}

  /** Returns how many files were deleted. Idempotent. */
  async executeWithin(transaction: Transaction, { tenantId, connectionId, nodeIds }: RemovedNodes): Promise<number> {
    await lockConnection(transaction, tenantId, connectionId);
    await this.removedNodes.add(transaction, tenantId, nodeIds);
    const files = await this.links.ofNodes(transaction, tenantId, nodeIds);
    const fileIds = [...files.values()].map(({ file_id: fileId }) => fileId);
    if (fileIds.length === 0) return 0;
    const deleted = await this.deletions.deleteFiles(transaction, tenantId, { fileIds, isUnseenOnly: false });
    await appendEvents(
      transaction,
      deleted.map((row) => fileDeleted(row)),
    );
    return deleted.length;
  }
}
