// A file with its variants: what callers ask most. Those who ask within one turn of the event loop share a statement, so
// that under load the database answers many questions for the price of one.
import { statement, type Queryable } from '@kiln/platform';
import DataLoader from 'dataloader';
import { FILE_COLUMNS, type FileRow } from './file.rows.js';
import type { VariantRow } from './variant.store.js';

export interface FileWithVariants extends FileRow {
  variants: (Pick<VariantRow, 'id' | 'type' | 'content_type' | 'size_bytes'> & { created_at: string })[];
}

interface Key {
  tenantId: string;
  fileId: string;
}

/** JSON holds the variants' times as text. */
const findWithVariants = statement(
  'files.find_with_variants',
  `select ${FILE_COLUMNS}, coalesce((
     select json_agg(json_build_object('id', v.id, 'type', v.type, 'content_type', v.content_type,
                                       'size_bytes', v.size_bytes, 'created_at', v.created_at) order by v.type)
     from variants v where v.tenant_id = $1 and v.file_id = f.id), '[]') as variants
   from files f where tenant_id = $1 and id = any($2::uuid[])`,
);

const FILES_PER_STATEMENT_MAX = 100;

export class FileWithVariantsStore {
  private readonly loader: DataLoader<Key, FileWithVariants | null>;

  constructor(database: Queryable) {
    this.loader = new DataLoader((keys) => findAll(database, keys), {
      // Each answer is read anew; and what arrived together on the bus has all been asked for when the turn ends.
      cache: false,
      batchScheduleFn: (dispatch) => setImmediate(dispatch),
      maxBatchSize: FILES_PER_STATEMENT_MAX,
    });
  }

  find(tenantId: string, fileId: string): Promise<FileWithVariants | null> {
    return this.loader.load({ tenantId, fileId });
  }
}

/** A statement per tenant: no statement ever sees two. One that fails fails its own tenant's questions only. */
async function findAll(database: Queryable, keys: readonly Key[]): Promise<(FileWithVariants | null | Error)[]> {
  const answers = new Map<string, Promise<Map<string, FileWithVariants>>>();
  for (const { tenantId } of keys) {
    if (answers.has(tenantId)) continue;
    const ids = keys.filter((key) => key.tenantId === tenantId).map(({ fileId }) => fileId);
    answers.set(tenantId, findOfTenant(database, tenantId, ids));
  }
  return Promise.all(
    keys.map(async ({ tenantId, fileId }) => {
      try {
        return (await answers.get(tenantId))?.get(fileId) ?? null;
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      }
    }),
  );
}

async function findOfTenant(
  database: Queryable,
  tenantId: string,
  fileIds: readonly string[],
): Promise<Map<string, FileWithVariants>> {
  const rows = await database.query<FileWithVariants>(findWithVariants, [tenantId, [...new Set(fileIds)]]);
  return new Map(rows.map((row) => [row.id, row]));
}
