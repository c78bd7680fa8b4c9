// The files service: a large tenant, and many small ones.
import { encodeId, type FilesInput } from '@kiln/contracts';
import { DeleteFiles } from '@kiln/files/deletion/delete-files.usecase';
import { DeletionStore } from '@kiln/files/deletion/deletion.store';
import { entities } from '@kiln/files/entities';
import { FileListStore } from '@kiln/files/files/file-list.store';
import { FileWithVariantsStore } from '@kiln/files/files/file-with-variants.store';
import { FileStore } from '@kiln/files/files/file.store';
import { FilteredList } from '@kiln/files/files/filtered-list.service';
import { ReadFiles } from '@kiln/files/files/read-files.usecase';
import { SearchList } from '@kiln/files/files/search-list.service';
import type { Client } from 'pg';
import { randomOf, type System } from './compare.js';
import {
  FILES_OF_SMALL_TENANT,
  fileId,
  idOf,
  idOfSmall,
  inSlices,
  LARGE_TENANT,
  smallTenant,
  smallTenantFileId,
  tenantOf,
  withoutIndexes,
  type Size,
} from './generated-rows.js';
import { openSchema } from './open-schema.js';

const SIGNED_URL_SECONDS = 3_600;
const TEAMS = 97;
/** SQL: the name of the space of the large tenant's file `n`. */
const SPACE = `case when n % 10 > 0 then 'main' else 'team-' || n / 10 % ${TEAMS} end`;
/** SQL: all columns of a file. `customer` has 20 files of a tenant, `project` one in a thousand, `department` one in twenty. */
const insertFiles = (tenant: string, id: string, files: number) => `
  insert into files (tenant_id, id, space_id, status, filename, content_type, size_bytes, metadata, created_at, updated_at)
  select ${tenant}, ${id}, s.id, case when n % 1009 = 0 then 'failed' when n % 2003 = 0 then 'processing' else 'completed' end,
    (array['report', 'invoice', 'contract', 'Protokoll', 'notes'])[1 + n % 5] || '-' || n || '.pdf', 'application/pdf',
    (n::bigint * 7919) % 50000000,
    jsonb_build_object('department', (n % 20)::text, 'project', (n % 1000)::text, 'customer', (n % ${Math.ceil(files / 20)})::text),
    '2025-01-01'::timestamptz + n * interval '2 s', '2025-06-01'::timestamptz + (n::bigint * 7919 % 1000003) * interval '11 s'`;

async function fill(client: Client, { files, smallTenants }: Size): Promise<void> {
  await client.query(
    `select from hold_spaces($1, array['main'] || array(select 'team-' || n from generate_series(0, ${TEAMS - 1}) n))`,
    [LARGE_TENANT],
  );
  await client.query(
    `insert into spaces (tenant_id, name) select ${tenantOf('t')}, 'main' from generate_series(1, $1::int) t`,
    [smallTenants],
  );
  await withoutIndexes(client, 'files', async () => {
    await inSlices(
      client,
      files,
      `${insertFiles(`'${LARGE_TENANT}'`, idOf('n'), files)} from generate_series($1::int, $2::int) n
       join spaces s on s.tenant_id = '${LARGE_TENANT}' and s.name = ${SPACE}`,
    );
    await inSlices(
      client,
      smallTenants,
      `${insertFiles(tenantOf('t'), idOfSmall('t', 'n'), FILES_OF_SMALL_TENANT)} from generate_series($1::int, $2::int) t
       join spaces s on s.tenant_id = ${tenantOf('t')} and s.name = 'main', generate_series(1, ${FILES_OF_SMALL_TENANT}) n`,
    );
  });
  // Each name has its file: the foreign key need not be checked row by row.
  await client.query(`set session_replication_role = replica`);
  await withoutIndexes(
    client,
    'file_names',
    async () =>
      void (await client.query(
        'insert into file_names (tenant_id, file_id, name) select tenant_id, id, lower(filename) from files',
      )),
  );
  await client.query(`set session_replication_role = origin`);
  await client.query('vacuum analyze');
}

export async function openFiles(size: Size): Promise<System> {
  const { client, database, close } = await openSchema('files', { byIndex: true, entities });
  await fill(client, size);
  const [files, lists] = [new FileStore(database), new FileListStore(database)];
  // No content matches: the list by name alone is measured.
  const contents = { find: () => Promise.resolve([]), among: () => Promise.resolve(new Set<string>()) };
  const searchList = new SearchList(lists, contents);
  const reads = new ReadFiles(new FileWithVariantsStore(database), files, lists, searchList, new FilteredList(files));
  const deletions = new DeleteFiles(
    database,
    new DeletionStore(database, SIGNED_URL_SECONDS),
    { execute: () => Promise.resolve() },
    { wakeUp: () => undefined },
  );
  const contextOf = (tenantId: string) => {
    const principal = { tenantId, mode: 'live' as const, principal: 'bench', requestId: 'bench' };
    return { ...principal, deadlineAt: Date.now() + 60_000 };
  };
  const aSmallTenant = () => smallTenant(1 + randomOf(size.smallTenants));
  const list = (tenantId: string, query: Partial<FilesInput<'listFiles'>>) =>
    reads.list({ limit: 50, sort_by: 'created_at', sort_order: 'desc', ...query }, contextOf(tenantId));
  const get = (tenantId: string, id: string) => reads.get({ id: encodeId('file', id) }, contextOf(tenantId));
  const getOfSmall = () => {
    const t = 1 + randomOf(size.smallTenants);
    return get(smallTenant(t), smallTenantFileId(t, 1));
  };
  // Each file once, from the last on.
  let left = size.files;
  let smallTenantsLeft = size.smallTenants * FILES_OF_SMALL_TENANT;
  const remove = (tenantId: string, id: string) => deletions.one({ id: encodeId('file', id) }, contextOf(tenantId));
  const removeOfSmall = () => {
    const at = --smallTenantsLeft;
    const t = 1 + (at % size.smallTenants);
    return remove(smallTenant(t), smallTenantFileId(t, 1 + Math.floor(at / size.smallTenants)));
  };
  const operations = {
    list: () => list(LARGE_TENANT, {}),
    'list, of a small tenant': () => list(aSmallTenant(), {}),
    'list by space': () => list(LARGE_TENANT, { space: 'team-7' }),
    'list by status': () => list(LARGE_TENANT, { status: 'failed' }),
    'list by metadata of 20 files': () => list(LARGE_TENANT, { metadata: { customer: '7' } }),
    'list by metadata of 1 in 20': () => list(LARGE_TENANT, { metadata: { department: '7' } }),
    'list by metadata of 1 in 1,000': () => list(LARGE_TENANT, { metadata: { project: '7' } }),
    'list by metadata of none': () => list(LARGE_TENANT, { metadata: { customer: 'x' } }),
    'list by metadata, of a small tenant': () => list(aSmallTenant(), { metadata: { department: '7' } }),
    'list by name': () => list(LARGE_TENANT, { search: '-123.' }),
    get: () => get(LARGE_TENANT, fileId(1 + randomOf(size.files / 2))),
    'get, of a small tenant': getOfSmall,
    delete: () => remove(LARGE_TENANT, fileId(left--)),
    'delete, of a small tenant': removeOfSmall,
  };
  return { database, operations, close };
}
