// Variants: at most one of each type per file. Their content lies in the object store.
import { statement, type Database, type Queryable } from '@kiln/platform';
import type { OperationOutput, filesOperations } from '@kiln/contracts';

type VariantType = OperationOutput<(typeof filesOperations)['getVariant']>['type'];

export interface VariantRow {
  id: string;
  type: VariantType;
  content_type: string;
  size_bytes: number;
  content_key: string;
  provider: string;
  created_at: Date;
}

export interface NewVariant {
  tenantId: string;
  fileId: string;
  id: string;
  type: VariantType;
  contentType: string;
  sizeBytes: number;
  contentKey: string;
  provider: string;
}

const COLUMNS = 'id, type, content_type, size_bytes, content_key, provider, created_at';

const list = statement(
  'variants.list',
  `select ${COLUMNS} from variants where tenant_id = $1 and file_id = $2 order by type`,
);
const find = statement(
  'variants.find',
  `select ${COLUMNS} from variants where tenant_id = $1 and file_id = $2 and type = $3
   and exists (select 1 from files where tenant_id = $1 and id = $2)`,
);
/** Writes nothing when the same content is there already, so that a repeated commit is no new fact. */
const replace = statement(
  'variants.replace',
  `insert into variants (tenant_id, file_id, id, type, content_type, size_bytes, content_key, provider)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (tenant_id, file_id, type) do update
     set id = excluded.id, content_type = excluded.content_type, size_bytes = excluded.size_bytes,
         content_key = excluded.content_key, provider = excluded.provider, created_at = now()
     where variants.content_key <> excluded.content_key
   returning id`,
);

export class VariantStore {
  constructor(private readonly database: Database) {}

  list(tenantId: string, fileId: string): Promise<VariantRow[]> {
    return this.database.query<VariantRow>(list, [tenantId, fileId]);
  }

  async find(on: Queryable, tenantId: string, fileId: string, type: VariantType): Promise<VariantRow | null> {
    const [row] = await on.query<VariantRow>(find, [tenantId, fileId, type]);
    return row ?? null;
  }

  /** Whether anything changed: false when exactly this content was committed before. */
  async replace(transaction: Queryable, variant: NewVariant): Promise<boolean> {
    const rows = await transaction.query(replace, [
      variant.tenantId,
      variant.fileId,
      variant.id,
      variant.type,
      variant.contentType,
      variant.sizeBytes,
      variant.contentKey,
      variant.provider,
    ]);
    return rows.length > 0;
  }
}
