// Writes what a caller changes about a file. The caller holds the row of the file until the transaction ends.
import { statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { FILE_COLUMNS, VISIBLE_FILES, type FileRow } from '../files/file.rows.js';
import { foldName } from '../files/name-terms.domain.js';

const lock = statement(
  'file_updates.lock',
  `select ${FILE_COLUMNS} from ${VISIBLE_FILES} where f.tenant_id = $1 and f.id = $2 for no key update of f`,
);
/**
 * A lock: the space cannot be deleted before the transaction ends; see `hold_spaces` in the migration. The trigger that counts a moved
 * file needs a row of the new space.
 */
const holdSpace = statement(
  'file_updates.hold_space',
  `insert into space_counts (tenant_id, space_id, slot, uploading, uploaded, processing, completed, failed, size_bytes)
   select $1, id, 0, 0, 0, 0, 0, 0, 0 from hold_spaces($1, array[$2::text])
   on conflict do nothing`,
);
/**
 * Set-based: the file and its folded name. `edits` and `updated_at` change together. $8 whether `holdSpace` holds the space. Otherwise the file
 * stays in its space: one of the same name may be new, and the file's was deleted.
 */
const write = statement(
  'file_updates.write',
  `with named as (
     update file_names set name = $7 where tenant_id = $1 and file_id = $2 and name <> $7
   )
   update files f set filename = $3, space_id = s.id, metadata = $5, external_id = $6, edits = f.edits + 1, updated_at = now()
   from spaces s where f.tenant_id = $1 and f.id = $2 and s.tenant_id = $1 and s.name = $4 and ($8 or s.id = f.space_id)
   returning ${FILE_COLUMNS}`,
);

/** Whether the transaction has called `holdSpace` for the space of the file that is written. */
export interface SpaceHold {
  isSpaceHeld: boolean;
}

@Injectable()
export class FileUpdateStore {
  /** Creates the space if it does not exist. Call it before the file is locked, as registrations do. */
  async holdSpace(transaction: Queryable, tenantId: string, space: string): Promise<void> {
    await transaction.query(holdSpace, [tenantId, space]);
  }

  /** Null when the file does not exist. */
  async lock(transaction: Queryable, tenantId: string, fileId: string): Promise<FileRow | null> {
    const [row] = await transaction.query<FileRow>(lock, [tenantId, fileId]);
    return row ?? null;
  }

  /** Null when the space was deleted meanwhile, and the file with it. */
  async write(transaction: Queryable, file: FileRow, { isSpaceHeld }: SpaceHold): Promise<FileRow | null> {
    const { tenant_id: tenantId, id, filename, space, metadata, external_id: externalId } = file;
    const values = [tenantId, id, filename, space, metadata, externalId, foldName(filename), isSpaceHeld];
    const [row] = await transaction.query<FileRow>(write, values);
    return row ?? null;
  }
}
