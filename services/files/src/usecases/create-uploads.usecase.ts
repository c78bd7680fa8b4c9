// Registers many files whose bytes come by PUT, as one batch: all or none, and the same again when asked twice.
import {
  conflict,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import { Database } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { BatchStore } from '../store/batch.store.js';
import { registered } from '../store/file.events.js';
import type { NewFile } from '../store/file.rows.js';
import { FileStore } from '../store/file.store.js';
import { insertFiles } from '../store/new-file.statements.js';
import { againAfterSpaceDeletion } from '../store/space.errors.js';
import { signedUpload } from './create-upload.usecase.js';
import { isSame, newFile } from './register-file.usecase.js';

type CreateUploadsOperation = (typeof filesOperations)['createUploads'];

export class CreateUploads {
  constructor(
    private readonly database: Database,
    private readonly batches: BatchStore,
    private readonly files: FileStore,
    private readonly objects: ObjectStore,
    private readonly signedUrlSeconds: number,
    /** Called when bytes are to be waited for. */
    private readonly onPending: () => void,
  ) {}

  async execute(
    input: OperationInput<CreateUploadsOperation>,
    context: CallContext,
  ): Promise<OperationOutput<CreateUploadsOperation>> {
    const { tenantId } = context;
    const batch = { tenantId, batchId: uuidOf('batch', input.batch_id) };
    const files = input.files.map((file) => newFile(file, tenantId, { batchId: batch.batchId }));
    const added = await againAfterSpaceDeletion(() => this.insert(batch, files, context));
    this.onPending();
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

  /** The row of each file in the order asked, those included that an earlier call has made. */
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
