// Gives a file other content. The caller holds the row of the file until the transaction ends.
import { statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { REQUEST_SUPERSEDED_AGAIN } from '../deletion/removal.store.js';
import type { FileEntity } from '../files/file.entity.js';
import { FILE_COLUMNS, VISIBLE_FILES, type FileRow } from '../files/file.rows.js';
import { foldName } from '../files/name-terms.domain.js';
import type { SpaceHold } from '../updates/file-update.store.js';
import { endPendingIf } from '../uploads/end-pending.statement.js';

/** A file, locked. */
export interface HeldFile extends FileRow, Pick<FileEntity, 'job_number'> {
  is_in_bucket: boolean;
  /** Whether the bytes of the upload are about to be removed, because a later upload has replaced them. */
  is_outdated: boolean;
}

export type WantedFile = { id: string } | { externalId: string };

/** $3 the id of the upload. */
const lockWhere = (name: string, condition: string) =>
  statement(
    name,
    `select ${FILE_COLUMNS}, f.job_number,
       exists (select from connection_files c where c.tenant_id = $1 and c.file_id = f.id) as is_in_bucket,
       exists (select from object_removals r where r.tenant_id = $1 and r.file_id = $3) as is_outdated
     from ${VISIBLE_FILES} where f.tenant_id = $1 and ${condition} for no key update of f`,
  );
const lockById = lockWhere('file_content.lock_by_id', 'f.id = $2');
const lockByExternalId = lockWhere('file_content.lock_by_external_id', 'f.external_id = $2');
const IS_WANTED = 'exists (select from wanted)';
/**
 * Replaces the content, deletes the variants, and queues the removal of the former bytes after 15 minutes, as for superseded variants. Ends
 * the pending upload of the file, and queues a last check of its signed URL. It changes nothing without the file or the space. $14 as in
 * `file_updates.write`.
 */
const replace = statement(
  'file_content.replace',
  `with wanted as (
     select f.tenant_id, f.id, f.source_id, s.id as space_id from files f, spaces s
     where f.tenant_id = $1 and f.id = $2 and s.tenant_id = $1 and s.name = $3 and ($14 or s.id = f.space_id)
   ), ${endPendingIf(IS_WANTED)}, dropped as (
     delete from variants where tenant_id = $1 and file_id = $2 and ${IS_WANTED}
   ), named as (
     update file_names set name = $13 where tenant_id = $1 and file_id = $2 and name <> $13 and ${IS_WANTED}
   ), former as (
     insert into object_removals (tenant_id, file_id, reason, due_at)
     select tenant_id, source_id, 'deleted', now() + interval '15 minutes' from wanted where source_id is not null
     on conflict (tenant_id, file_id) do update
       set reason = 'deleted', due_at = excluded.due_at, attempts = object_removals.attempts + 1
   ), superseded as (
     insert into object_removals (tenant_id, file_id, reason, due_at)
     select tenant_id, id, 'superseded', now() + interval '1 day' from wanted
     ${REQUEST_SUPERSEDED_AGAIN}
   )
   update files f
   set space_id = s.id, filename = $4, content_type = $5, size_bytes = $6, sha256 = $7, source_etag = $8, source_id = $9, status = 'uploaded',
     job_id = $10, job_number = f.job_number + ($10::uuid is not null)::int, job_fence = 0, batch_id = null, metadata = $11,
     processing = $12, edits = f.edits + 1, updated_at = now()
   from wanted, spaces s where f.tenant_id = $1 and f.id = $2 and s.tenant_id = $1 and s.id = wanted.space_id
   returning ${FILE_COLUMNS}`,
);

@Injectable()
export class FileContentStore {
  /** Null when the file does not exist. `uploadId`: the upload that is to replace its content. */
  async lock(transaction: Queryable, tenantId: string, file: WantedFile, uploadId: string): Promise<HeldFile | null> {
    const [statement, wanted] = 'id' in file ? [lockById, file.id] : [lockByExternalId, file.externalId];
    const [row] = await transaction.query<HeldFile>(statement, [tenantId, wanted, uploadId]);
    return row ?? null;
  }

  /** Deletes the variants, too. Null when the space was deleted meanwhile. */
  async replace(transaction: Queryable, file: FileRow, { isSpaceHeld }: SpaceHold): Promise<FileRow | null> {
    const content = [file.content_type, file.size_bytes, file.sha256, file.source_etag, file.source_id];
    const [row] = await transaction.query<FileRow>(replace, [
      file.tenant_id,
      file.id,
      file.space,
      file.filename,
      ...content,
      file.job_id,
      file.metadata,
      file.processing,
      foldName(file.filename),
      isSpaceHeld,
    ]);
    return row ?? null;
  }
}
