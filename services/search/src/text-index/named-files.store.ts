// The files that a search names by their ids, as a scan of the index knows them.
import { statement, type Queryable } from '@kiln/platform';

/** $1 tenant, $2 files. */
const readNumbers = statement(
  'search.read_named_files',
  'select first_number from files where tenant_id = $1 and file_id = any($2::uuid[]) and first_number is not null',
);

/** Whether a file is named. A merged one is known by its first number, one of the tail or of the remote index by its id. */
export type IsNamed = (first: number, unmergedId: string | undefined) => boolean;

export async function readNamed(
  database: Queryable,
  tenantId: string,
  fileIds: readonly string[] | undefined,
): Promise<IsNamed> {
  if (fileIds === undefined) return () => true;
  const rows = await database.query<{ first_number: number }>(readNumbers, [tenantId, fileIds]);
  const numbers = new Set(rows.map(({ first_number: number }) => number));
  const ids = new Set(fileIds);
  return (first, unmergedId) => (unmergedId === undefined ? numbers.has(first) : ids.has(unmergedId));
}
