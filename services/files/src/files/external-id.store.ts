// External ids: no two files of a tenant have the same one.
import { conflict, encodeId } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { IN_SPACE, VISIBLE_FILES } from './file.rows.js';

/** The index that keeps external ids unique. */
export const EXTERNAL_ID_INDEX = 'files_by_external_id';

/** Set-based. */
const findHolders = statement(
  'external_ids.find_holders',
  `select f.id, f.external_id from ${VISIBLE_FILES} where f.tenant_id = $1 and f.external_id = any($2::text[])`,
);
/** Set-based. The files of a deleted space exist until a worker has deleted them. */
const release = statement(
  'external_ids.release',
  `update files f set external_id = null
   where f.tenant_id = $1 and f.external_id = any($2::text[]) and not exists (select from spaces s where ${IN_SPACE})`,
);

@Injectable()
export class ExternalIdStore {
  constructor(private readonly database: Database) {}

  /** Throws CONFLICT if a file has one of these ids. Takes them from deleted files. */
  async free(tenantId: string, externalIds: readonly string[]): Promise<void> {
    const [holder] = await this.database.query<{ id: string; external_id: string }>(findHolders, [
      tenantId,
      externalIds,
    ]);
    if (holder) throw isTaken(holder.external_id, holder.id);
    await this.database.query(release, [tenantId, externalIds]);
  }
}

/** `fileId`: the file that has the external id, if it is known. */
export function isTaken(externalId: string, fileId?: string): Error {
  const holder = fileId === undefined ? 'Another file' : `The file ${encodeId('file', fileId)}`;
  return conflict(
    `${holder} has the external_id ${JSON.stringify(externalId)}. Choose another one, or update that file.`,
  );
}
