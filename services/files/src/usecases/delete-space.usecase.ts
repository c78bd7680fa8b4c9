// Deletes a space. Its files can no longer be seen when this answers, however many; a worker deletes them afterwards.
import {
  conflict,
  notFound,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import { Database } from '@kiln/platform';
import { DeletionStore } from '../store/deletion.store.js';
import { againAfterSpaceDeletion } from '../store/space.errors.js';

type DeleteSpaceOperation = (typeof filesOperations)['deleteSpace'];

export class DeleteSpace {
  constructor(
    private readonly database: Database,
    private readonly deletions: DeletionStore,
    /** Called when there are files to delete. */
    private readonly onHidden: () => void,
  ) {}

  async execute(
    { name, cascade }: OperationInput<DeleteSpaceOperation>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<DeleteSpaceOperation>> {
    const files = await againAfterSpaceDeletion(() => this.end(tenantId, name, cascade));
    if (files > 0) this.onHidden();
    return { deleted: true, files_deleted: files };
  }

  private end(tenantId: string, name: string, cascade: boolean): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const count = await this.deletions.lockSpace(transaction, tenantId, name);
      if (count === null) throw notFound('No space has this name.');
      if (count > 0 && !cascade) {
        throw conflict('The space has files. Delete them first, or ask with cascade=true to delete them with it.');
      }
      await this.deletions.endSpace(transaction, tenantId, name, { hide: count > 0 });
      return count;
    });
  }
}
