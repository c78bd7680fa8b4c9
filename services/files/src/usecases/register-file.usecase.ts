// Registers a file, with or without its bytes. The ids come from the caller: a repeat finds its own row and answers the same.
// Files of one tenant that come together are registered in one transaction.
import { conflict, uuidOf, type CallContext, type OperationInput, type filesOperations } from '@kiln/contracts';
import { appendEvents, Database, GroupedCalls } from '@kiln/platform';
import { fileCreated, processingRequested } from '../store/file.events.js';
import type { FileRow } from '../store/file.rows.js';
import { FileStore } from '../store/file.store.js';
import { insertFiles, type NewFile } from '../store/new-file.statements.js';
import { PendingUploadStore } from '../store/pending-upload.store.js';
import { againAfterSpaceDeletion } from '../store/space.errors.js';

type UploadInput = OperationInput<(typeof filesOperations)['createUpload']>;

/** Bytes that are in storage already; absent when they are still to come. */
export interface StoredBytes {
  sizeBytes: number;
  sha256: string;
}

interface Registration {
  file: NewFile;
  requestId: string;
}

const TRANSACTIONS_IN_FLIGHT_MAX = 2;
const FILES_PER_TRANSACTION_MAX = 100;

export class RegisterFile {
  private readonly registrations: GroupedCalls<Registration, FileRow | null>;

  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly pendingUploads: PendingUploadStore,
    private readonly signedUrlSeconds: number,
  ) {
    this.registrations = new GroupedCalls(
      (tenantId, group) => againAfterSpaceDeletion(() => this.insert(tenantId, group)),
      {
        inFlightMax: TRANSACTIONS_IN_FLIGHT_MAX,
        callsMax: FILES_PER_TRANSACTION_MAX,
      },
    );
  }

  async execute(input: UploadInput, { tenantId, requestId }: CallContext, stored?: StoredBytes): Promise<FileRow> {
    const file = newFile(input, tenantId, stored);
    const created = await this.registrations.run(tenantId, { file, requestId });
    const row = created ?? (await this.files.find(tenantId, file.id));
    if (row && isSame(row, file)) return row;
    throw conflict('A different file has this id.');
  }

  /** The row of each file, or null where the id was taken before. */
  private insert(tenantId: string, group: Registration[]): Promise<(FileRow | null)[]> {
    const requestIds = new Map(group.map(({ file, requestId }) => [file.id, requestId]));
    return this.database.transaction(async (transaction) => {
      const files = group.map(({ file }) => file);
      const rows = await insertFiles(transaction, tenantId, files);
      const waiting = rows.filter(({ status }) => status === 'uploading').map(({ id }) => id);
      if (waiting.length > 0) {
        await this.pendingUploads.insert(transaction, tenantId, waiting, this.signedUrlSeconds);
      }
      const facts = rows.flatMap((row) => [
        fileCreated(row, requestIds.get(row.id) ?? ''),
        ...processingRequested(row),
      ]);
      await appendEvents(transaction, facts);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return files.map(({ id }) => byId.get(id) ?? null);
    });
  }
}

/** What no later step changes, so that a repeat is known however far the file has come meanwhile. A run may have told the hash of a direct upload. */
export function isSame(row: FileRow, file: NewFile): boolean {
  return (
    row.job_id === file.jobId &&
    row.space === file.space &&
    row.filename === file.filename &&
    (row.sha256 === file.sha256 || (file.sha256 === null && row.source_etag !== null))
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
