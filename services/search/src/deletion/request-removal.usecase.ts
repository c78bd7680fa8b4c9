// Queues the removal of a deleted file. The row is written in the transaction of the event; the worker removes the file afterwards.
import type { EventContext } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { FileRemovalStore } from './file-removal.store.js';
import { RemovalWorker } from './removal.worker.js';

@Injectable()
export class RequestRemoval {
  constructor(
    private readonly removals: FileRemovalStore,
    private readonly worker: RemovalWorker,
  ) {}

  async execute({ transaction, afterCommit }: EventContext, tenantId: string, fileId: string): Promise<void> {
    await this.removals.request(transaction, tenantId, fileId);
    afterCommit(() => this.worker.wakeUp());
  }
}
