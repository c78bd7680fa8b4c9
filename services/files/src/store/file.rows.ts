// Rows of the files schema, and how they look in the contracts.
import { encodeId, formatTimestamp, storageKey } from '@kiln/contracts';
import type { OperationInput, OperationOutput, filesOperations } from '@kiln/contracts';

type Ops = typeof filesOperations;
type CreatedFile = OperationOutput<Ops['createFile']>;
type FileSummary = OperationOutput<Ops['listFiles']>['files'][number];
type Processing = Pick<OperationInput<Ops['createUpload']>, 'provider' | 'embedding_model' | 'chunking' | 'variants'>;

export interface FileRow {
  tenant_id: string;
  id: string;
  space: string;
  filename: string;
  content_type: string | null;
  size_bytes: number | null;
  /** Of the bytes as they came through the gateway, or as the first finished run has read a direct upload. */
  sha256: string | null;
  /** Of the bytes as they arrived by a signed URL; null for those that came through the gateway. */
  source_etag: string | null;
  status: FileSummary['status'];
  job_id: string | null;
  metadata: Record<string, string>;
  processing: Processing;
  /** That the newest job was asked for with. */
  batch_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A file's row as its writer makes it: all but what the database adds. */
export type NewFile = Omit<FileRow, 'created_at' | 'updated_at'>;

export const FILE_COLUMNS = `tenant_id, id, space, filename, content_type, size_bytes, sha256, source_etag, status, job_id, metadata,
  processing, batch_id, created_at, updated_at`;

/** What a list shows: nothing whose size is up to the caller. */
export const LISTED_COLUMNS = 'id, space, filename, content_type, size_bytes, status, job_id, created_at, updated_at';

export type ListedFileRow = Pick<
  FileRow,
  'id' | 'space' | 'filename' | 'content_type' | 'size_bytes' | 'status' | 'job_id' | 'created_at' | 'updated_at'
>;

const jobIdOf = (row: Pick<FileRow, 'job_id'>) => (row.job_id === null ? null : encodeId('job', row.job_id));

export function fileSummary(row: ListedFileRow): FileSummary {
  return {
    id: encodeId('file', row.id),
    space: row.space,
    filename: row.filename,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    status: row.status,
    job_id: jobIdOf(row),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  };
}

export function createdFile(row: NewFile): CreatedFile {
  const id = encodeId('file', row.id);
  return {
    id,
    space: row.space,
    filename: row.filename,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    storage_key: storageKey(row.space, id, row.filename),
    status: row.status,
    job_id: jobIdOf(row),
  };
}

/** The part that every file event carries. */
export function fileFact(row: NewFile) {
  return {
    file_id: encodeId('file', row.id),
    job_id: jobIdOf(row),
    space: row.space,
    filename: row.filename,
    content_type: row.content_type,
  };
}
