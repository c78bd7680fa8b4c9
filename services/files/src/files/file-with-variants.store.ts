// A file with its variants, the most frequent read. Concurrent calls share one statement, which under load costs the database
// about as much as one call.
import { Database, GroupedCalls, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { VariantRow } from '../variants/variant.rows.js';
import { FILE_COLUMNS, VISIBLE_FILES, type FileRow } from './file.rows.js';

export interface FileWithVariants extends FileRow {
  variants: (Pick<VariantRow, 'id' | 'type' | 'content_type' | 'size_bytes'> & { created_at: string })[];
}

/** JSON returns the times of the variants as text. */
const findWithVariants = statement(
  'files.find_with_variants',
  `select ${FILE_COLUMNS}, coalesce((
     select json_agg(json_build_object('id', v.id, 'type', v.type, 'content_type', v.content_type,
                                       'size_bytes', v.size_bytes, 'created_at', v.created_at) order by v.type)
     from variants v where v.tenant_id = $1 and v.file_id = f.id), '[]') as variants
   from ${VISIBLE_FILES} where f.tenant_id = $1 and f.id = any($2::uuid[])`,
);

const STATEMENTS_IN_FLIGHT_MAX = 4;
const FILES_PER_STATEMENT_MAX = 100;

@Injectable()
export class FileWithVariantsStore {
  private readonly reads: GroupedCalls<string, FileWithVariants | null>;

  constructor(database: Database) {
    this.reads = new GroupedCalls(
      async (tenantId, fileIds) => {
        const rows = await database.query<FileWithVariants>(findWithVariants, [tenantId, [...new Set(fileIds)]]);
        const byId = new Map(rows.map((row) => [row.id, row]));
        return fileIds.map((id) => byId.get(id) ?? null);
      },
      { inFlightMax: STATEMENTS_IN_FLIGHT_MAX, callsMax: FILES_PER_STATEMENT_MAX },
    );
  }

  find(tenantId: string, fileId: string): Promise<FileWithVariants | null> {
    return this.reads.run(tenantId, fileId);
  }
}
