// Changes of files that have not been announced yet.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { FileEntity } from '../files/file.entity.js';
import { IN_SPACE } from '../files/file.rows.js';

/** The state of a file after its change `version`, or a later one. */
export interface ChangedFile extends Pick<
  FileEntity,
  'tenant_id' | 'id' | 'content_type' | 'size_bytes' | 'status' | 'created_at'
> {
  version: number;
  space: string;
  jobs: number;
  variants: number;
}

/** Statements whose changes one round announces. */
export const CHANGES_MAX = 200;

/**
 * Claims the oldest changes that no other process holds, and reads their files in the same snapshot. In it a change and its row
 * are both visible or both not. A file that is no longer visible needs no announcement: its deletion is an event. `more`: the
 * limit was reached.
 */
const take = statement(
  'changed_files.take',
  `with taken as (
     delete from changed_files where sequence = any (array(
       select sequence from changed_files order by sequence limit ${CHANGES_MAX} for update skip locked))
     returning sequence, tenant_id, file_ids
   ), newest as (
     select tenant_id, file_id, max(sequence) as version from taken, unnest(file_ids) as file_id group by 1, 2
   )
   select n.version, f.tenant_id, f.id, s.name as space, f.content_type, f.size_bytes, f.status, f.job_number as jobs, f.created_at,
     (select count(*)::int from variants v where v.tenant_id = f.tenant_id and v.file_id = f.id) as variants,
     (select count(*) from taken) = ${CHANGES_MAX} as more
   from newest n join files f on f.tenant_id = n.tenant_id and f.id = n.file_id join spaces s on ${IN_SPACE}
   order by f.tenant_id, f.id`,
);
/** Hot: runs whenever a worker commits variants. */
const note = statement(
  'changed_files.note',
  'insert into changed_files (tenant_id, file_ids) values ($1, array[$2::uuid])',
);

/** Measured: each process asks it every second (bench:analytics). */
const exist = statement('changed_files.exist', 'select from changed_files limit 1');

/** Announces a change that the row of the file does not show. The transaction holds that row. */
export async function noteChange(transaction: Queryable, tenantId: string, fileId: string): Promise<void> {
  await transaction.query(note, [tenantId, fileId]);
}

@Injectable()
export class ChangedFileStore {
  constructor(private readonly database: Database) {}

  /** Whether a change has not been announced. */
  async exist(): Promise<boolean> {
    return (await this.database.query(exist)).length > 0;
  }

  /** Returns the files of the oldest changes, by tenant, and whether there may be more. */
  async take(on: Queryable): Promise<{ files: ChangedFile[]; more: boolean }> {
    const rows = await on.query<ChangedFile & { more: boolean }>(take);
    return { files: rows.map(({ more: _more, ...file }) => file), more: rows[0]?.more ?? false };
  }
}
