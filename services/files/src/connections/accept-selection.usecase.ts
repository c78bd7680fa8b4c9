// Stores the nodes that a sync has selected, so that a worker queues them.
import type { Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { NodeSelectionStore } from './node-selection.store.js';

export interface SelectedNodes {
  tenantId: string;
  connectionId: string;
  nodeIds: readonly string[];
}

@Injectable()
export class AcceptSelection {
  constructor(private readonly selections: NodeSelectionStore) {}

  async executeWithin(transaction: Transaction, { tenantId, connectionId, nodeIds }: SelectedNodes): Promise<void> {
    await this.selections.add(transaction, tenantId, connectionId, nodeIds);
  }
}
