// Registers many files whose bytes come by PUT, as one batch: all or none, and the same again when asked twice.
import {
  conflict,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import { appendEvents, Database } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { BatchStore } from '../store/batch.store.js';
import { fileCreated, processingRequested } from '../store/file.events.js';
import type { FileRow } from '../store/file.rows.js';
import { FileStore } from '../store/file.store.js';
import { insertFiles, type NewFile } from '../store/new-file.statements.js';
import { PendingUploadStore } from '../store/pending-upload.store.js';
import { againAfterSpaceDeletion } from '../store/space.errors.js';
import { signedUpload } from './create-upload.usecase.js';
import { isSame, newFile } from './register-file.usecase.js';

type CreateUploadsOperation = (typeof filesOperations)['createUploads'];

export class CreateUploads {
  constructor(
    private readonly database: Database,
    private readonly batches: BatchStore,
    private readonly files: FileStore,
    private readonly pendingUploads: PendingUploadStore,
    private readonly objects: ObjectStore,
    private readonly signedUrlSeconds: number,
  ) {}

  async execute(
    input: OperationInput<CreateUploadsOperation>,
    context: CallContext,
  ): Promise<OperationOutput<CreateUploadsOperation>> {
    const { tenantId } = context;
    const batch = { tenantId, batchId: uuidOf('batch', input.batch_id) };
    const files = input.files.map((file) => newFile(file, tenantId, undefined));
    const added = await againAfterSpaceDeletion(() => this.insert(batch, files, context));
    const rows = await this.withRepeated(files, added);
    return { files: await Promise.all(rows.map((row) => signedUpload(row, this.objects, this.signedUrlSeconds))) };
  }

  private insert(
    batch: { tenantId: string; batchId: string },
    files: NewFile[],
    { requestId }: CallContext,
  ): Promise<FileRow[]> {
    return this.database.transaction(async (transaction) => {
      const { tenantId, batchId } = batch;
      const rows = await insertFiles(transaction, tenantId, files, batchId);
      const added = rows.map(({ id }) => id);
      await this.batches.add(transaction, batch, added);
      await this.pendingUploads.insert(transaction, tenantId, added, this.signedUrlSeconds);
      const events = rows.flatMap((row) => [fileCreated(row, requestId), ...processingRequested(row)]);
      await appendEvents(transaction, events);
      return rows;
    });
  }

  /** The row of each file in the order asked, those included that an earlier call has made. */
  private async withRepeated(files: NewFile[], added: FileRow[]): Promise<FileRow[]> {
    const rows = new Map(added.map((row) => [row.id, row]));
    const missing = files.filter(({ id }) => !rows.has(id));
    if (missing.length > 0) {
      const [{ tenantId }] = missing as [NewFile];
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
