// Registers a file, with or without its bytes. The caller chooses the ids: a repeated call finds its own row and returns the same
// answer. Concurrent files of one tenant are registered in one statement.
import { conflict, uuidOf, type CallContext, type FilesInput } from '@kiln/contracts';
import { Database, GroupedCalls } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { SIGNED_URL_SECONDS } from '../config.js';
import { registered } from '../files/file.events.js';
import type { NewFile } from '../files/file.rows.js';
import { FileStore } from '../files/file.store.js';
import { insertFiles, type Registration } from './new-file.statements.js';

type UploadInput = FilesInput<'createUpload'>;

/** Bytes that are already in storage; absent if they have not arrived. */
export interface StoredBytes {
  sizeBytes: number;
  sha256: string;
}

const STATEMENTS_IN_FLIGHT_MAX = 2;
const FILES_PER_STATEMENT_MAX = 100;

@Injectable()
export class RegisterFile {
  private readonly registrations: GroupedCalls<Registration, NewFile | null>;

  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    @Inject(SIGNED_URL_SECONDS) private readonly signedUrlSeconds: number,
  ) {
    this.registrations = new GroupedCalls((tenantId, group) => this.insert(tenantId, group), {
      inFlightMax: STATEMENTS_IN_FLIGHT_MAX,
      callsMax: FILES_PER_STATEMENT_MAX,
    });
  }

  async execute(input: UploadInput, { tenantId, requestId }: CallContext, stored?: StoredBytes): Promise<NewFile> {
    const file = newFile(input, tenantId, { stored });
    const created = await this.registrations.run(tenantId, { file, events: registered(file, requestId) });
    const row = created ?? (await this.files.find(tenantId, file.id));
    if (row && isSame(row, file)) return row;
    throw conflict('A different file has this id.');
  }

  /** The row of each file, or null when its id was already in use. */
  private async insert(tenantId: string, group: Registration[]): Promise<(NewFile | null)[]> {
    const added = await insertFiles(this.database, tenantId, group, this.signedUrlSeconds);
    return group.map(({ file }) => added.get(file.id) ?? null);
  }
}

/**
 * Compares what no later step changes, so that a repeated call is recognized however far the file has advanced. A run may have set
 * the hash of a direct upload.
 */
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
