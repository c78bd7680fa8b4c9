// Registers a file, with or without its bytes. The ids come from the caller: a repeat finds its own row and answers the same.
import { conflict, uuidOf, type CallContext, type OperationInput, type filesOperations } from '@kiln/contracts';
import { appendEvents, Database } from '@kiln/platform';
import { fileCreated, processingRequested } from '../store/file.events.js';
import type { FileRow } from '../store/file.rows.js';
import { FileStore, type NewFile } from '../store/file.store.js';
import { PendingUploadStore } from '../store/pending-upload.store.js';
import { againAfterSpaceDeletion } from '../store/space.errors.js';

type UploadInput = OperationInput<(typeof filesOperations)['createUpload']>;

/** Bytes that are in storage already; absent when they are still to come. */
export interface StoredBytes {
  sizeBytes: number;
  sha256: string;
}

export class RegisterFile {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly pendingUploads: PendingUploadStore,
    private readonly signedUrlSeconds: number,
  ) {}

  async execute(input: UploadInput, context: CallContext, stored?: StoredBytes): Promise<FileRow> {
    const file = newFile(input, context.tenantId, stored);
    const created = await againAfterSpaceDeletion(() => this.insert(file, context, stored !== undefined));
    return created ?? this.findRepeated(file);
  }

  private insert(file: NewFile, context: CallContext, isStored: boolean): Promise<FileRow | null> {
    return this.database.transaction(async (transaction) => {
      const row = await this.files.insert(transaction, file);
      if (!row) return null;
      if (!isStored) {
        await this.pendingUploads.insert(transaction, row.tenant_id, row.id, this.signedUrlSeconds);
      }
      await appendEvents(transaction, [fileCreated(row, context.requestId), ...processingRequested(row)]);
      return row;
    });
  }

  private async findRepeated(file: NewFile): Promise<FileRow> {
    const row = await this.files.find(file.tenantId, file.id);
    if (row && isSame(row, file)) return row;
    throw conflict('A different file has this id.');
  }
}

/** What no later step changes, so that a repeat is known however far the file has come meanwhile. */
export function isSame(row: FileRow, file: NewFile): boolean {
  return (
    row.job_id === file.jobId &&
    row.space === file.space &&
    row.filename === file.filename &&
    row.sha256 === file.sha256
  );
}

export function newFile(input: UploadInput, tenantId: string, stored: StoredBytes | undefined): NewFile {
  const { provider, embedding_model, chunking, variants } = input;
  return {
    tenantId,
    id: uuidOf('file', input.file_id),
    jobId: input.job_id === null ? null : uuidOf('job', input.job_id),
    space: input.space,
    filename: input.filename,
    contentType: input.content_type ?? null,
    sizeBytes: stored?.sizeBytes ?? input.size_bytes ?? null,
    sha256: stored?.sha256 ?? null,
    status: stored ? 'uploaded' : 'uploading',
    metadata: input.metadata,
    processing: { provider, embedding_model, chunking, variants },
  };
}
