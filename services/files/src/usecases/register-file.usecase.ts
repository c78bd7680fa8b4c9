// Registers a file, with or without its bytes. The ids come from the caller: a repeat finds its own row and answers the same.
// Files of one tenant that come together are registered in one statement.
import { conflict, uuidOf, type CallContext, type OperationInput, type filesOperations } from '@kiln/contracts';
import { Database, GroupedCalls } from '@kiln/platform';
import { registered } from '../store/file.events.js';
import type { NewFile } from '../store/file.rows.js';
import { FileStore } from '../store/file.store.js';
import { insertFiles, type Registration } from '../store/new-file.statements.js';
import { againAfterSpaceDeletion } from '../store/space.errors.js';

type UploadInput = OperationInput<(typeof filesOperations)['createUpload']>;

/** Bytes that are in storage already; absent when they are still to come. */
export interface StoredBytes {
  sizeBytes: number;
  sha256: string;
}

const STATEMENTS_IN_FLIGHT_MAX = 2;
const FILES_PER_STATEMENT_MAX = 100;

export class RegisterFile {
  private readonly registrations: GroupedCalls<Registration, NewFile | null>;

  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly signedUrlSeconds: number,
  ) {
    this.registrations = new GroupedCalls(
      (tenantId, group) => againAfterSpaceDeletion(() => this.insert(tenantId, group)),
      {
        inFlightMax: STATEMENTS_IN_FLIGHT_MAX,
        callsMax: FILES_PER_STATEMENT_MAX,
      },
    );
  }

  async execute(input: UploadInput, { tenantId, requestId }: CallContext, stored?: StoredBytes): Promise<NewFile> {
    const file = newFile(input, tenantId, { stored });
    const created = await this.registrations.run(tenantId, { file, events: registered(file, requestId) });
    const row = created ?? (await this.files.find(tenantId, file.id));
    if (row && isSame(row, file)) return row;
    throw conflict('A different file has this id.');
  }

  /** What was made under the id of each, or null where it was taken before. */
  private async insert(tenantId: string, group: Registration[]): Promise<(NewFile | null)[]> {
    const added = await insertFiles(this.database, tenantId, group, this.signedUrlSeconds);
    return group.map(({ file }) => added.get(file.id) ?? null);
  }
}

/** What no later step changes, so that a repeat is known however far the file has come meanwhile. A run may have told the hash of a direct upload. */
export function isSame(row: NewFile, file: NewFile): boolean {
  return (
    row.job_id === file.job_id &&
    row.space === file.space &&
    row.filename === file.filename &&
    (row.sha256 === file.sha256 || (file.sha256 === null && row.source_etag !== null))
  );
}

export function newFile(
  input: UploadInput,
  tenantId: string,
  { stored, batchId = null }: { stored?: StoredBytes | undefined; batchId?: string | null },
): NewFile {
  const { provider, embedding_model, chunking, variants } = input;
  return {
    tenant_id: tenantId,
    id: uuidOf('file', input.file_id),
    job_id: input.job_id === null ? null : uuidOf('job', input.job_id),
    batch_id: batchId,
    space: input.space,
    filename: input.filename,
    content_type: input.content_type ?? null,
    size_bytes: stored?.sizeBytes ?? input.size_bytes ?? null,
    sha256: stored?.sha256 ?? null,
    source_etag: null,
    status: stored ? 'uploaded' : 'uploading',
    metadata: input.metadata,
    processing: { provider, embedding_model, chunking, variants },
  };
}
