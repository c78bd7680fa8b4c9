// A file was deleted: its jobs are, too, and a run that is at one of them stops.
import { WakeUp, type EventContext } from '@kiln/platform';
import { DeletedFileStore } from '../store/deleted-file.store.js';

/** Tells workers to look which of their jobs they still hold. */
export const RUNS_ENDED_WAKE_UP = 'jobs-runs-ended';

export class ForgetFile {
  constructor(
    private readonly deletedFiles: DeletedFileStore,
    private readonly wakeUp: WakeUp,
  ) {}

  async execute({ transaction, afterCommit }: EventContext, tenantId: string, fileId: string): Promise<void> {
    const wasRunning = await this.deletedFiles.forget(transaction, tenantId, fileId);
    if (wasRunning) afterCommit(() => this.wakeUp.send(RUNS_ENDED_WAKE_UP));
  }
}
