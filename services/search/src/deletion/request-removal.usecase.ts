// Removes a deleted file from the index: queues the removal in the transaction of the event, and wakes the worker afterwards.
import type { EventContext } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { TEXT_INDEX, type TextIndex } from '../text-index/text-index.port.js';
import { RemovalNotifier } from './removal-notifier.service.js';

@Injectable()
export class RequestRemoval {
  constructor(
    @Inject(TEXT_INDEX) private readonly index: Pick<TextIndex, 'remove'>,
    @Inject(RemovalNotifier) private readonly notifier: Pick<RemovalNotifier, 'wakeUp'>,
  ) {}

  async execute({ transaction, afterCommit }: EventContext, tenantId: string, fileId: string): Promise<void> {
    await this.index.remove(transaction, tenantId, fileId);
    afterCommit(() => this.notifier.wakeUp());
  }
}
