// A file was deleted: deletes its jobs, and stops a run of one of them.
import { WakeUp, type EventContext } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { RUNS_ENDED_WAKE_UP } from '../wake-ups.events.js';
import { DeletedFileStore } from './deleted-file.store.js';

@Injectable()
export class DeleteFileJobs {
  constructor(
    private readonly deletedFiles: DeletedFileStore,
    private readonly wakeUp: WakeUp,
  ) {}

  async execute({ transaction, afterCommit }: EventContext, tenantId: string, fileId: string): Promise<void> {
    const wasRunning = await this.deletedFiles.deleteJobs(transaction, tenantId, fileId);
    if (wasRunning) afterCommit(() => this.wakeUp.send(RUNS_ENDED_WAKE_UP));
  }
}
