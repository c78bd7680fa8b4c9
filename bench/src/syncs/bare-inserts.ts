// The baseline of a first sync: the same files and folders, inserted by `unnest` into a copy of the table with its indexes, a page at a time.
import type { Database } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { foldersAt, objectAt, objectsOfPage, pagesOf } from './generated-bucket.js';

const insert = {
  name: 'bench.insert',
  text: `insert into bare_nodes (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, etag, content_type, last_modified)
    select $1, $2, * from unnest($3::uuid[], $4::uuid[], $5::boolean[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[],
      $11::timestamptz[])`,
};

interface Row {
  id: string;
  parentId: string;
  path: string;
  parent: string;
  file: { sizeBytes: number; etag: string; lastModified: Date } | null;
}

export const createBareTable = (database: Database): Promise<unknown> =>
  database.query({ name: '', text: 'create table bare_nodes (like nodes including all)' });

export async function insertAll(database: Database, tenantId: string, objects: number): Promise<void> {
  const connectionId = uuidv7();
  const folders = new Map<string, string>();
  for (let page = 0; page < pagesOf(objects); page += 1) {
    const rows = objectsOfPage(page, objects).flatMap((index) => rowsAt(index, connectionId, folders));
    await database.query(insert, [
      tenantId,
      connectionId,
      rows.map(({ id }) => id),
      rows.map(({ parentId }) => parentId),
      rows.map(({ file }) => file !== null),
      rows.map(({ path, parent }) => path.slice(parent.length)),
      rows.map(({ path }) => path),
      rows.map(({ file }) => file?.sizeBytes ?? null),
      rows.map(({ file }) => file?.etag ?? null),
      rows.map(({ file }) => (file ? 'application/pdf' : null)),
      rows.map(({ file }) => file?.lastModified ?? null),
    ]);
  }
}

/** The rows of an object and of its folders that have none yet. */
function rowsAt(index: number, connectionId: string, folders: Map<string, string>): Row[] {
  const rows: Row[] = [];
  let [parent, parentId] = ['', connectionId];
  for (const path of foldersAt(index)) {
    const known = folders.get(path);
    const id = known ?? uuidv7();
    if (known === undefined) {
      folders.set(path, id);
      rows.push({ id, parentId, path, parent, file: null });
    }
    [parent, parentId] = [path, id];
  }
  const { key, ...file } = objectAt(index);
  return [...rows, { id: uuidv7(), parentId, path: key, parent, file }];
}
