// Files as uploads register them.
import { conflict, uuidOf, type CallContext, type FilesInput } from '@kiln/contracts';
import type { FileRow, NewFile } from '../files/file.rows.js';

/**
 * Returns the row if an earlier call can have made it of the same file; else throws CONFLICT. It compares what no later step
 * changes. A run may have set the hash of a direct upload, and a caller may have edited the name and the space.
 */
export function sameFile<Row extends NewFile | FileRow>(row: Row | null | undefined, file: NewFile): Row {
  const isEdited = row && 'edits' in row && row.edits > 0;
  const isSame =
    row?.job_id === file.job_id &&
    (isEdited || (row.space === file.space && row.filename === file.filename)) &&
    (row.sha256 === file.sha256 || (file.sha256 === null && row.source_etag !== null));
  if (isSame) return row;
  throw conflict('A different file has this id.');
}

export function newFile(
  input: FilesInput<'createUpload'>,
  { tenantId }: Pick<CallContext, 'tenantId'>,
  batchId: string | null = null,
): NewFile {
  const { provider, embedding_model, chunking, variants } = input;
  return {
    tenant_id: tenantId,
    id: uuidOf('file', input.file_id),
    job_id: input.job_id === null ? null : uuidOf('job', input.job_id),
    batch_id: batchId,
    space: input.space ?? 'default',
    filename: input.filename,
    content_type: input.content_type ?? null,
    size_bytes: input.size_bytes ?? null,
    sha256: null,
    source_etag: null,
    status: 'uploading',
    metadata: input.metadata ?? {},
    external_id: input.external_id ?? null,
    processing: { provider, embedding_model, chunking, variants },
  };
}
