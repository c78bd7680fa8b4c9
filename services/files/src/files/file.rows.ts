// Files as statements return them, and their form in the contracts.
import { encodeId, formatTimestamp, sourceKey, storageKey, type FileLabels, type FilesOutput } from '@kiln/contracts';
import type { FileEntity } from './file.entity.js';

type CreatedFile = FilesOutput<'createFile'>;
type FileSummary = FilesOutput<'listFiles'>['files'][number];

/** A file with the name of its space instead of its id, without the columns that only runs need. */
export type FileRow = Omit<FileEntity, 'space_id' | 'job_number' | 'job_fence' | 'run_edits'> & { space: string };

/** A new file, without the columns that the database sets. */
export type NewFile = Omit<FileRow, 'source_id' | 'edits' | 'created_at' | 'updated_at'>;

/** Joins a file `f` to its space `s`. A deleted space has no row, so its files are not visible. */
export const IN_SPACE = 's.tenant_id = f.tenant_id and s.id = f.space_id';
/** The files whose space exists. */
export const VISIBLE_FILES = `files f join spaces s on ${IN_SPACE}`;

/** The bytes have neither come through the gateway nor been found in storage: such an upload has expired. */
export const BYTES_UNSEEN = 'sha256 is null and source_etag is null';

/** The columns of a file `f` in its space `s`. */
export const FILE_COLUMNS = `f.tenant_id, f.id, s.name as space, f.filename, f.content_type, f.size_bytes, f.sha256, f.source_etag, f.source_id, f.status,
  f.job_id, f.metadata, f.external_id, f.edits, f.processing, f.batch_id, f.created_at, f.updated_at`;

export type ListedFileRow = Pick<
  FileRow,
  | 'id'
  | 'space'
  | 'filename'
  | 'content_type'
  | 'size_bytes'
  | 'status'
  | 'job_id'
  | 'external_id'
  | 'created_at'
  | 'updated_at'
>;

export type StoredFileKey = Pick<FileRow, 'tenant_id' | 'id' | 'source_id'>;

/** The key of the bytes in Kiln's own storage. */
export const sourceKeyOf = ({ tenant_id, id, source_id }: StoredFileKey): string =>
  sourceKey(tenant_id, source_id ?? id);

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
    external_id: row.external_id,
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
    external_id: row.external_id,
  };
}

export const fileLabels = ({ external_id, metadata }: NewFile): FileLabels => ({ external_id, metadata });

/** The fields that every file event includes. */
export function fileFact(row: NewFile) {
  return {
    file_id: encodeId('file', row.id),
    job_id: jobIdOf(row),
    space: row.space,
    filename: row.filename,
    content_type: row.content_type,
  };
}
