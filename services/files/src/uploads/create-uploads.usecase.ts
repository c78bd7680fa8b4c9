// Registers many files whose bytes arrive by PUT, as one batch: all or none. A repeated call returns the same answer.
import { conflict, uuidOf, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Database } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { BatchStore } from '../batches/batch.store.js';
import { OBJECT_STORE, SIGNED_URL_SECONDS } from '../config.js';
import { registered } from '../files/file.events.js';
import type { NewFile } from '../files/file.rows.js';
import { FileStore } from '../files/file.store.js';
import { signedUpload } from './create-upload.usecase.js';
import { insertFiles } from './new-file.statements.js';
import { PendingUploadNotifier } from './pending-upload-notifier.service.js';
import { isSame, newFile } from './register-file.usecase.js';

@Injectable()
export class CreateUploads {
  constructor(
    private readonly database: Database,
    private readonly batches: BatchStore,
    private readonly files: FileStore,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(SIGNED_URL_SECONDS) private readonly signedUrlSeconds: number,
    @Inject(PendingUploadNotifier) private readonly pending: Pick<PendingUploadNotifier, 'expectUpload'>,
  ) {}

  async execute(input: FilesInput<'createUploads'>, context: CallContext): Promise<FilesOutput<'createUploads'>> {
    const { tenantId } = context;
    const batch = { tenantId, batchId: uuidOf('batch', input.batch_id) };
    const files = input.files.map((file) => newFile(file, tenantId, { batchId: batch.batchId }));
    const added = await this.insert(batch, files, context);
    this.pending.expectUpload();
    const rows = await this.withRepeated(files, added);
    return { files: await Promise.all(rows.map((row) => signedUpload(row, this.objects, this.signedUrlSeconds))) };
  }

  private insert(
    batch: { tenantId: string; batchId: string },
    files: NewFile[],
    { requestId }: CallContext,
  ): Promise<Map<string, NewFile>> {
    const registrations = files.map((file) => ({ file, events: registered(file, requestId) }));
    return this.database.transaction(async (transaction) => {
      const added = await insertFiles(transaction, batch.tenantId, registrations, this.signedUrlSeconds);
      await this.batches.add(transaction, batch, [...added.keys()]);
      return added;
    });
  }

  /** The row of each file in the order of the request, including those that an earlier call inserted. */
  private async withRepeated(files: NewFile[], added: Map<string, NewFile>): Promise<NewFile[]> {
    const rows = new Map(added);
    const missing = files.filter(({ id }) => !rows.has(id));
    if (missing.length > 0) {
      const [{ tenant_id: tenantId }] = missing as [NewFile];
      const found = await this.files.findMany(
        tenantId,
        missing.map(({ id }) => id),
      );
      for (const row of found) rows.set(row.id, row);
    }
    return files.map((file) => {
      const row = rows.get(file.id);
      if (row && isSame(row, file)) return row;
      throw conflict('A different file has this id.');
    });
  }
}
