// Deletes files: the rows at once, with the events that make jobs and search let go, and the order to remove the objects.
import {
  decodeId,
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import { appendEvents, Database } from '@kiln/platform';
import { DeletionStore } from '../store/deletion.store.js';
import { fileDeleted } from '../store/file.events.js';
import type { FileRow } from '../store/file.rows.js';
import { againAfterSpaceDeletion } from '../store/space.errors.js';

type Ops = typeof filesOperations;

const NO_SUCH_FILE = 'No file has this id.';

export class DeleteFiles {
  constructor(
    private readonly database: Database,
    private readonly deletions: DeletionStore,
    /** Called when there are objects to remove. */
    private readonly onDeleted: () => void,
  ) {}

  async one(
    { id }: OperationInput<Ops['deleteFile']>,
    context: CallContext,
  ): Promise<OperationOutput<Ops['deleteFile']>> {
    const rows = await this.delete([uuidOf('file', id)], context);
    if (rows.length === 0) throw notFound(NO_SUCH_FILE);
    return { deleted: true };
  }

  /** What is no file of the tenant, for whatever reason, is told in the same words. */
  async many(
    { file_ids: ids }: OperationInput<Ops['deleteFiles']>,
    context: CallContext,
  ): Promise<OperationOutput<Ops['deleteFiles']>> {
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

  private async delete(fileIds: string[], context: CallContext): Promise<FileRow[]> {
    const rows = await againAfterSpaceDeletion(() => this.deleteAtOnce(fileIds, context));
    if (rows.length > 0) this.onDeleted();
    return rows;
  }

  private deleteAtOnce(fileIds: string[], { tenantId, requestId }: CallContext): Promise<FileRow[]> {
    return this.database.transaction(async (transaction) => {
      const rows = await this.deletions.deleteFiles(transaction, tenantId, fileIds);
      await appendEvents(
        transaction,
        rows.map((row) => fileDeleted(row, requestId)),
      );
      return rows;
    });
  }
}
