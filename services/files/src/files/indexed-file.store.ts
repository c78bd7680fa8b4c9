// The files that have an index, for a rebuild of the search index.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { VISIBLE_FILES, type FileRow } from './file.rows.js';

/** No run of a superseded job can follow, so any fencing token that is not lower than its last one identifies it. */
const HIGHEST_FENCE = 2_147_483_647;

export type IndexedFileRow = Pick<FileRow, 'space' | 'filename' | 'content_type' | 'metadata'> & {
  /** The job that wrote the index, its number, and the fencing token of its last run. */
  job_id: string;
  job_number: number;
  fence: number;
};

/** A keyset page. */
const list = statement(
  'files.list_indexed',
  `select file_id from variants
   where tenant_id = $1 and file_id > $2 and type = 'searchable-index' order by file_id limit $3`,
);
/** A join with the file. It knows the number of the current job only; a former job has a lower one. */
const find = statement(
  'files.find_indexed',
  `select s.name as space, f.filename, f.content_type, f.metadata, v.job_id,
          case when v.job_id = f.job_id then f.job_number else f.job_number - 1 end as job_number,
          case when v.job_id = f.job_id then f.job_fence else ${HIGHEST_FENCE} end as fence
   from ${VISIBLE_FILES} join variants v on v.tenant_id = f.tenant_id and v.file_id = f.id and v.type = 'searchable-index'
   where f.tenant_id = $1 and f.id = $2`,
);

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class IndexedFileStore {
  constructor(private readonly database: Database) {}

  /** Lists the files after `after` in the order of their ids, including files of deleted spaces. */
  async list(tenantId: string, after: string | null, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ file_id: string }>(list, [tenantId, after ?? LOWEST_ID, limit]);
    return rows.map(({ file_id: fileId }) => fileId);
  }

  /** Null when the file is not visible or has no index. */
  async find(tenantId: string, fileId: string): Promise<IndexedFileRow | null> {
    const [row] = await this.database.query<IndexedFileRow>(find, [tenantId, fileId]);
    return row ?? null;
  }
}
