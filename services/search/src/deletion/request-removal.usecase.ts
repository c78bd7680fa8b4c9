// Removes a deleted file from the index: queues the removal in the transaction of the event, and wakes the worker afterwards.
import type { EventContext } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { FileRemovalStore } from './file-removal.store.js';
import { RemovalNotifier } from './removal-notifier.service.js';

@Injectable()
export class RequestRemoval {
  constructor(
    private readonly removals: FileRemovalStore,
    @Inject(RemovalNotifier) private readonly notifier: Pick<RemovalNotifier, 'wakeUp'>,
  ) {}

  async execute({ transaction, afterCommit }: EventContext, tenantId: string, fileId: string): Promise<void> {
    await this.removals.remove(transaction, tenantId, fileId);
    afterCommit(() => this.notifier.wakeUp());
  }
}
