// The space and the name of a file, which each of its jobs has too.
import { statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

export interface EditedFile {
  tenantId: string;
  fileId: string;
  space: string;
  filename: string;
  /** How often the file has been edited. */
  edits: number;
}

/** Set-based. A state that is older than the stored one changes nothing. Locks the jobs in the order of their ids. */
const write = statement(
  'edited_files.write',
  `with held as (
     select id from jobs where tenant_id = $1 and file_id = $2 and file_edits < $5 order by id for no key update
   )
   update jobs j set space = $3, filename = $4, file_edits = $5 from held where j.tenant_id = $1 and j.id = held.id`,
);

@Injectable()
export class EditedFileStore {
  async write(on: Queryable, { tenantId, fileId, space, filename, edits }: EditedFile): Promise<void> {
    await on.query(write, [tenantId, fileId, space, filename, edits]);
  }
}
