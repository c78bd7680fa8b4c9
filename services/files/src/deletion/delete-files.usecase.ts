// Deletes the rows of files and their jobs at once, emits the events on which other services delete their data, and requests the removal of the
// objects.
import { decodeId, notFound, uuidOf, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { appendEvents, Database } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { fileDeleted } from '../files/file.events.js';
import type { FileRow } from '../files/file.rows.js';
import { DeletionStore } from './deletion.store.js';
import { JobDeletion } from './job-deletion.adapter.js';
import { ObjectRemovalNotifier } from './deletion-notifiers.service.js';

const NO_SUCH_FILE = 'No file has this id.';

@Injectable()
export class DeleteFiles {
  constructor(
    private readonly database: Database,
    private readonly deletions: DeletionStore,
    @Inject(JobDeletion) private readonly jobs: Pick<JobDeletion, 'execute'>,
    @Inject(ObjectRemovalNotifier) private readonly removals: Pick<ObjectRemovalNotifier, 'wakeUp'>,
  ) {}

  async one({ id }: FilesInput<'deleteFile'>, context: CallContext): Promise<FilesOutput<'deleteFile'>> {
    const rows = await this.delete([uuidOf('file', id)], context);
    if (rows.length === 0) throw notFound(NO_SUCH_FILE);
    return { deleted: true };
  }

  /** Returns false if there is no such file, or its bytes have arrived meanwhile. */
  async unseen(fileId: string, context: CallContext): Promise<boolean> {
    return (await this.delete([fileId], context, true)).length > 0;
  }

  /** Every id that is not a file of the tenant gets the same error, whatever the reason. */
  async many({ file_ids: ids }: FilesInput<'deleteFiles'>, context: CallContext): Promise<FilesOutput<'deleteFiles'>> {
    const uuids = new Map([...new Set(ids)].map((id) => [id, decodeId('file', id)]));
    const rows = await this.delete(
      [...uuids.values()].filter((uuid) => uuid !== null),
      context,
    );
    const deleted = new Set(rows.map((row) => row.id));
    const missing = [...uuids].filter(([, uuid]) => uuid === null || !deleted.has(uuid));
    return {
      deleted: rows.length,
      errors: missing.map(([file_id]) => ({ file_id, code: 'NOT_FOUND' as const, message: NO_SUCH_FILE })),
    };
  }

  private async delete(fileIds: string[], context: CallContext, isUnseenOnly = false): Promise<FileRow[]> {
    const { tenantId, requestId } = context;
    const rows = await this.database.transaction(async (transaction) => {
      const deleted = await this.deletions.deleteFiles(transaction, tenantId, { fileIds, isUnseenOnly });
      await appendEvents(
        transaction,
        deleted.map((row) => fileDeleted(row, requestId)),
      );
      return deleted;
    });
    if (rows.length === 0) return rows;
    this.removals.wakeUp();
    await this.jobs.execute(
      rows.map(({ id }) => id),
      context,
    );
    return rows;
  }
}
