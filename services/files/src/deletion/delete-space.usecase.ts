// Deletes a space. Its files are invisible when the call returns, however many they are; a worker deletes them afterwards.
import { conflict, notFound, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Database } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { DeletionStore } from './deletion.store.js';
import { SpaceDeletionNotifier } from './deletion-notifiers.service.js';

@Injectable()
export class DeleteSpace {
  constructor(
    private readonly database: Database,
    private readonly deletions: DeletionStore,
    @Inject(SpaceDeletionNotifier) private readonly worker: Pick<SpaceDeletionNotifier, 'wakeUp'>,
  ) {}

  async execute(
    { name, cascade }: FilesInput<'deleteSpace'>,
    { tenantId }: CallContext,
  ): Promise<FilesOutput<'deleteSpace'>> {
    const files = await this.database.transaction(async (transaction) => {
      const space = await this.deletions.lockSpace(transaction, tenantId, name);
      if (!space) throw notFound('No space has this name.');
      if (space.files > 0 && !cascade) {
        throw conflict('The space has files. Delete them first, or ask with cascade=true to delete them with it.');
      }
      await this.deletions.deleteSpace(transaction, tenantId, space.id);
      return space.files;
    });
    if (files > 0) this.worker.wakeUp();
    return { deleted: true, files_deleted: files };
  }
}
