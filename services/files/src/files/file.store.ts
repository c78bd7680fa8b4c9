// Reads files by tenant and id, with the names of their spaces. Every statement joins the space, so that the files of a deleted
// space are not found.
import { encodeId, formatTimestamp, metadataKeysOf, passesFilter, type FileFilter } from '@kiln/contracts';
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { FILE_COLUMNS, VISIBLE_FILES, type FileRow } from './file.rows.js';

const find = statement(
  'files.find',
  `select ${FILE_COLUMNS} from ${VISIBLE_FILES} where f.tenant_id = $1 and f.id = $2`,
);
const findMany = statement(
  'files.find_many',
  `select ${FILE_COLUMNS} from ${VISIBLE_FILES} where f.tenant_id = $1 and f.id = any($2::uuid[])`,
);
const findByUpload = statement(
  'files.find_by_upload',
  `select f.id from ${VISIBLE_FILES} where f.tenant_id = $1 and f.source_id = $2`,
);
const findExisting = statement(
  'files.find_existing',
  `select f.id from ${VISIBLE_FILES} where f.tenant_id = $1 and f.id = any($2::uuid[])`,
);

/** $3 bytes of the longest metadata to read. */
const findDetails = statement(
  'files.find_details',
  `select f.id, f.filename, s.name as space, f.content_type, f.external_id, f.created_at,
          case when octet_length(f.metadata::text) <= $3::int4 then f.metadata end as metadata
     from ${VISIBLE_FILES} where f.tenant_id = $1 and f.id = any($2::uuid[])`,
);

/** $3 keys of metadata to read. */
const findFilteredFields = statement(
  'files.find_filtered_fields',
  `select f.id, s.name as space, f.content_type, f.external_id, f.created_at, f.status,
          coalesce((select jsonb_object_agg(k, f.metadata -> k) from unnest($3::text[]) as k where f.metadata ? k), '{}') as metadata
     from ${VISIBLE_FILES} where f.tenant_id = $1 and f.id = any($2::uuid[])`,
);

export interface FilteredFieldsRow extends Pick<
  FileRow,
  'id' | 'space' | 'content_type' | 'external_id' | 'created_at' | 'status' | 'metadata'
> {}

export interface FileDetailsRow extends Pick<
  FileRow,
  'id' | 'filename' | 'space' | 'content_type' | 'external_id' | 'created_at'
> {
  metadata: Record<string, string> | null;
}

@Injectable()
export class FileStore {
  constructor(private readonly database: Database) {}

  async find(tenantId: string, fileId: string): Promise<FileRow | null> {
    const [row] = await this.database.query<FileRow>(find, [tenantId, fileId]);
    return row ?? null;
  }

  /** Returns the id of the file whose content this upload has replaced. */
  async findByUpload(tenantId: string, uploadId: string): Promise<string | null> {
    const [row] = await this.database.query<{ id: string }>(findByUpload, [tenantId, uploadId]);
    return row?.id ?? null;
  }

  /** Returns the files that exist, in any order. */
  findMany(tenantId: string, fileIds: string[], on: Queryable = this.database): Promise<FileRow[]> {
    return on.query<FileRow>(findMany, [tenantId, fileIds]);
  }

  /** Returns the ids of the files that exist. */
  async findExisting(tenantId: string, fileIds: string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(findExisting, [tenantId, fileIds]);
    return rows.map(({ id }) => id);
  }

  /** Returns the ids of the files that exist and pass the filter. */
  async findPassing(tenantId: string, fileIds: readonly string[], filter: FileFilter): Promise<string[]> {
    if (fileIds.length === 0) return [];
    const keys = metadataKeysOf(filter);
    const rows = await this.database.query<FilteredFieldsRow>(findFilteredFields, [tenantId, fileIds, keys]);
    return rows
      .filter((row) => {
        const fields = { ...row, file_id: encodeId('file', row.id), created_at: formatTimestamp(row.created_at) };
        return passesFilter(fields, filter);
      })
      .map(({ id }) => id);
  }

  /** Returns the files that exist, with what a search shows of them. Longer metadata is null. */
  findDetails(tenantId: string, fileIds: string[], metadataBytesMax: number): Promise<FileDetailsRow[]> {
    return this.database.query<FileDetailsRow & Record<string, unknown>>(findDetails, [
      tenantId,
      fileIds,
      metadataBytesMax,
    ]);
  }
}
