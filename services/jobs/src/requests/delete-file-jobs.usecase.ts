// A file was deleted: deletes its jobs, and stops a run of one of them.
import { uuidOf, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { Database, WakeUp, type EventContext } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { RUNS_ENDED_WAKE_UP } from '../wake-ups.events.js';
import { DeletedFileStore } from './deleted-file.store.js';

@Injectable()
export class DeleteFileJobs {
  constructor(
    private readonly database: Database,
    private readonly deletedFiles: DeletedFileStore,
    private readonly wakeUp: WakeUp,
  ) {}

  /** One transaction for each file, so that it waits for no other while it holds a lock. */
  async deleteNow({ file_ids }: JobsInput<'deleteJobs'>, { tenantId }: CallContext): Promise<JobsOutput<'deleteJobs'>> {
    const hints: (() => void)[] = [];
    for (const fileId of file_ids)
      await this.database.transaction((transaction) =>
        this.execute({ transaction, afterCommit: (hint) => void hints.push(hint) }, tenantId, uuidOf('file', fileId)),
      );
    for (const hint of hints) hint();
    return {};
  }

  async execute({ transaction, afterCommit }: EventContext, tenantId: string, fileId: string): Promise<void> {
    const wasRunning = await this.deletedFiles.deleteJobs(transaction, tenantId, fileId);
    if (wasRunning) afterCommit(() => this.wakeUp.send(RUNS_ENDED_WAKE_UP));
  }
}
