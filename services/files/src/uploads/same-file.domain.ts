import { conflict } from '@kiln/contracts';
import type { FileRow, NewFile } from '../files/file.rows.js';

/**
 * Returns the row if an earlier call can have made it of the same file; else throws CONFLICT. It compares what no later step
 * changes. A run may have set the hash of a direct upload, and a caller may have edited the name and the space.
 */
export function sameFile<Row extends NewFile | FileRow>(row: Row | null | undefined, file: NewFile): Row {
  const isEdited = row && 'edits' in row && row.edits > 0;
  const isSame =
    row?.job_id === file.job_id &&
    (isEdited || (row.space === file.space && row.filename === file.filename)) &&
    (row.sha256 === file.sha256 || (file.sha256 === null && row.source_etag !== null));
  if (isSame) return row;
  throw conflict('A different file has this id.');
}
