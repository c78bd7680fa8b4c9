// Real: Postgres. Faked: nothing. The worst case of a list: 100,000 files of one tenant, filters with many
// and few matches, and orders in which the matches are at the far end. Each page is compared with one made from all rows in memory.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { startFiles, type FilesHarness } from '../test/files-harness.js';
import { addManyFiles, explain, FILES, pagesRead, touched } from '../test/many-files.js';
import { searchTermsOf } from './domain/search-terms.js';
import { collectStatement } from './file-list.collect.js';
import type { ListQuery } from './file-list.statements.js';
import { FileListStore, sortValue } from './file-list.store.js';
import type { FileRow } from './file.rows.js';

const LIMIT = 51;
const sorts = ['created_at', 'updated_at', 'filename', 'size_bytes'] as const;
const orders = ['asc', 'desc'] as const;

type ListedRow = FileRow & { words: string[] };
type Filter = Pick<ListQuery, 'space' | 'status' | 'metadata'> & { text?: string };

const searches = [undefined, 'ZZ-', 'abc12', 'no such name', 'late', 'wordabc', 'everywhere'];
const places: Filter[] = [{}, { space: 'big' }, { status: 'completed' }, { space: 'small-3', status: 'failed' }];
const metadata: ListQuery['metadata'][] = [undefined, { half: '1' }, { part: 'last' }, { rare: '7' }, { rare: 'none' }];
const filters: Filter[] = searches
  .flatMap((text) => metadata.map((pairs) => ({ ...(text && { text }), ...(pairs && { metadata: pairs }) })))
  .filter((filter) => Object.keys(filter).length > 0);

const matches = (row: ListedRow, { space, status, metadata: pairs, text }: Filter) =>
  (space === undefined || row.space === space) &&
  (status === undefined || row.status === status) &&
  Object.entries(pairs ?? {}).every(([key, value]) => row.metadata[key] === value) &&
  (text === undefined || row.filename.includes(text.toLowerCase()) || row.words.includes(text));

const compared = (a: string | number, b: string | number) => (a < b ? -1 : Number(a > b));

describe('a page that begins with the index of its filter', () => {
  let kiln: FilesHarness;
  const tenantId = uuidv7();
  const ordered = new Map<string, ListedRow[]>();

  beforeAll(async () => {
    kiln = await startFiles();
    await addManyFiles(kiln, tenantId);
    const rows = await kiln.sql<ListedRow>(
      `select f.*, s.name as space, t.words from files f join spaces s on s.tenant_id = f.tenant_id and s.id = f.space_id
       join file_terms t on t.tenant_id = f.tenant_id and t.file_id = f.id`,
    );
    for (const sort of sorts) {
      const ascending = rows.toSorted(
        (a, b) => compared(sortValue(a, sort), sortValue(b, sort)) || compared(a.id, b.id),
      );
      ordered.set(`${sort} asc`, ascending).set(`${sort} desc`, ascending.toReversed());
    }
  });
  afterAll(() => kiln.close());

  const queryOf = ({ text, ...filter }: Filter, sortBy: ListQuery['sortBy'], sortOrder: ListQuery['sortOrder']) => ({
    ...filter,
    search: searchTermsOf(text ?? '') ?? undefined,
    tenantId,
    sortBy,
    sortOrder,
    limit: LIMIT,
  });
  const expected = (filter: Filter, { sortBy, sortOrder }: Pick<ListQuery, 'sortBy' | 'sortOrder'>) => {
    const found: string[] = [];
    for (const row of ordered.get(`${sortBy} ${sortOrder}`) ?? []) {
      if (matches(row, filter)) found.push(row.id);
      if (found.length === 2 * LIMIT) break;
    }
    return found;
  };
  const collect = (query: ListQuery) => {
    const { statement, values } = collectStatement(query);
    return kiln.database.query<FileRow>(statement, values);
  };

  // Every filter in every order, with a different space and status for each.
  const lists = filters.flatMap((content, at) =>
    sorts.map((sortBy, sortAt) => ({
      filter: { ...content, ...places[(at + sortAt) % places.length] },
      sortBy,
      sortOrder: orders[at % orders.length] ?? 'asc',
    })),
  );
  it.each(lists)('returns the right files on its first two pages: %j', async ({ filter, sortBy, sortOrder }) => {
    const query = queryOf(filter, sortBy, sortOrder);
    const pages = expected(filter, query);
    const first = await collect(query);
    expect(first.map(({ id }) => id)).toStrictEqual(pages.slice(0, LIMIT));
    const last = first.at(-1);
    if (!last) return;
    const second = await collect({ ...query, after: [sortValue(last, sortBy), last.id] });
    expect(second.map(({ id }) => id)).toStrictEqual(pages.slice(LIMIT));
  });

  const adverse: Filter[] = [
    { text: 'ZZ-' },
    { text: 'late' },
    { text: 'late', space: 'big' },
    { metadata: { part: 'last' } },
    { text: 'ZZ-', metadata: { part: 'last' } },
    { text: 'late', metadata: { part: 'late' } },
  ];
  const adverseLists = adverse.flatMap((filter) =>
    sorts.flatMap((sortBy) => orders.map((sortOrder) => ({ filter, sortBy, sortOrder }))),
  );
  it.each(adverseLists)(
    'reads a bounded number of rows and pages, and the order from the index alone: %j',
    async ({ filter, sortBy, sortOrder }) => {
      const nodes = await explain(kiln.database, collectStatement(queryOf(filter, sortBy, sortOrder)));
      expect(touched(nodes)).toBeLessThanOrEqual(2 * FILES);
      expect(pagesRead(nodes)).toBeLessThanOrEqual(FILES / 10);
      const ordering = nodes.filter((node) => node['Index Name']?.startsWith('files_by_s'));
      expect(ordering.filter((node) => node['Node Type'] !== 'Index Only Scan')).toStrictEqual([]);
    },
  );

  it('leaves out the files of a deleted space, even when they are many', async () => {
    const lists = new FileListStore(kiln.database);
    await kiln.sql(
      `with gone as (delete from spaces where tenant_id = $1 and name = 'small-3' returning *)
       insert into deleted_spaces (tenant_id, space_id, name) select tenant_id, id, name from gone`,
      [tenantId],
    );
    try {
      const withHidden: Filter[] = [
        { text: 'late' },
        { text: 'ZZ-' },
        { metadata: { part: 'last' } },
        { metadata: { rare: '93' } },
      ];
      const wrong: { filter: Filter; sortBy: string }[] = [];
      for (const filter of withHidden)
        for (const sortBy of sorts) {
          const query = queryOf(filter, sortBy, 'asc');
          const visible = (ordered.get(`${sortBy} asc`) ?? []).filter(
            (row) => row.space !== 'small-3' && matches(row, filter),
          );
          const listed = (await lists.list(query)).files.map(({ id }) => id);
          if (
            !isDeepStrictEqual(
              listed,
              visible.slice(0, LIMIT).map(({ id }) => id),
            )
          )
            wrong.push({ filter, sortBy });
        }
      expect(wrong).toStrictEqual([]);
    } finally {
      await kiln.sql(
        `with back as (delete from deleted_spaces where tenant_id = $1 returning *)
         insert into spaces (tenant_id, id, name) select tenant_id, space_id, name from back`,
        [tenantId],
      );
    }
  });
});
