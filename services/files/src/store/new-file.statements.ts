// New files: their rows and the terms they are found by, in one statement, however many they are.
import { statement, type Queryable } from '@kiln/platform';
import { foldName } from '../domain/search-terms.js';
import { FILE_COLUMNS, type FileRow } from './file.rows.js';

export interface NewFile {
  tenantId: string;
  id: string;
  jobId: string | null;
  space: string;
  filename: string;
  contentType: string | null;
  sizeBytes: number | null;
  sha256: string | null;
  status: 'uploading' | 'uploaded';
  metadata: Record<string, string>;
  processing: FileRow['processing'];
}

/** In the order of ids, so that two statements with the same files never wait for each other. */
const insertMany = statement(
  'files.insert_many',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g (
       id uuid, job_id uuid, space text, filename text, content_type text, size_bytes bigint, sha256 text, status text,
       metadata jsonb, processing jsonb, name text)
   ), added as (
     insert into files
       (tenant_id, id, job_id, batch_id, space, filename, content_type, size_bytes, sha256, status, metadata, processing)
     select $1, id, job_id, $3::uuid, space, filename, content_type, size_bytes, sha256, status, metadata, processing
     from given order by id
     on conflict (tenant_id, id) do nothing
     returning ${FILE_COLUMNS}
   ), terms as (
     insert into file_terms (tenant_id, file_id, name)
     select distinct on (id) $1::uuid, id, given.name from added join given using (id)
   )
   select ${FILE_COLUMNS} from added`,
);

/** The rows of those whose ids were free. */
export function insertFiles(
  transaction: Queryable,
  tenantId: string,
  files: readonly NewFile[],
  batchId: string | null = null,
): Promise<FileRow[]> {
  const rows = files.map((file) => ({
    id: file.id,
    job_id: file.jobId,
    space: file.space,
    filename: file.filename,
    content_type: file.contentType,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    status: file.status,
    metadata: file.metadata,
    processing: file.processing,
    name: foldName(file.filename),
  }));
  return transaction.query<FileRow>(insertMany, [tenantId, JSON.stringify(rows), batchId]);
}
