// Real: Postgres. Faked: nothing. What a list costs at worst: 100,000 files of one tenant, filters that let through many and
// few, and orders in which the matches lie at the far end. Each page is compared with one made from all rows in memory.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { searchTermsOf } from '../domain/search-terms.js';
import { startFiles, type FilesHarness } from '../test/files-harness.js';
import { addManyFiles, explain, FILES, kinds, pagesRead, touched } from '../test/many-files.js';
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

  before(async () => {
    kiln = await startFiles();
    await addManyFiles(kiln, tenantId);
    const rows = await kiln.sql<ListedRow>(
      'select f.*, t.words from files f join file_terms t on t.tenant_id = f.tenant_id and t.file_id = f.id',
    );
    for (const sort of sorts) {
      const ascending = rows.toSorted(
        (a, b) => compared(sortValue(a, sort), sortValue(b, sort)) || compared(a.id, b.id),
      );
      ordered.set(`${sort} asc`, ascending).set(`${sort} desc`, ascending.toReversed());
    }
  });
  after(() => kiln.close());

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

  it('holds what it should, on the first page and the second, for every filter and order, with and without space and status', async () => {
    for (const [at, content] of filters.entries()) {
      for (const [sortAt, sortBy] of sorts.entries()) {
        const filter = { ...content, ...places[(at + sortAt) % places.length] };
        const query = queryOf(filter, sortBy, orders[at % orders.length] ?? 'asc');
        const title = JSON.stringify({ filter, sortBy, sortOrder: query.sortOrder });
        const pages = expected(filter, query);
        const first = await collect(query);
        assert.deepEqual(
          first.map(({ id }) => id),
          pages.slice(0, LIMIT),
          title,
        );
        const last = first.at(-1);
        if (!last) continue;
        const second = await collect({ ...query, after: [sortValue(last, sortBy), last.id] });
        assert.deepEqual(
          second.map(({ id }) => id),
          pages.slice(LIMIT),
          title,
        );
      }
    }
  });

  it('reads a bounded number of rows and pages, and the order from its index alone, wherever the matches lie', async () => {
    const adverse: Filter[] = [
      { text: 'ZZ-' },
      { text: 'late' },
      { text: 'late', space: 'big' },
      { metadata: { part: 'last' } },
      { text: 'ZZ-', metadata: { part: 'last' } },
      { text: 'late', metadata: { part: 'late' } },
    ];
    for (const filter of adverse)
      for (const sortBy of sorts)
        for (const sortOrder of orders) {
          const nodes = await explain(kiln.database, collectStatement(queryOf(filter, sortBy, sortOrder)));
          const rows = touched(nodes);
          const title = JSON.stringify({
            filter,
            sortBy,
            sortOrder,
            rows,
            pages: pagesRead(nodes),
            kinds: kinds(nodes),
          });
          assert.ok(rows <= 2 * FILES, title);
          assert.ok(pagesRead(nodes) <= FILES / 10, title);
          for (const node of nodes)
            if (node['Index Name']?.startsWith('files_by_s')) assert.equal(node['Node Type'], 'Index Only Scan', title);
        }
  });

  it('leaves out the files of a space that is being deleted, also where they are many', async () => {
    const lists = new FileListStore(kiln.database);
    await kiln.sql(
      `insert into space_deletions (tenant_id, space, cutoff) values ($1, 'small-3', now() + interval '1 year')`,
      [tenantId],
    );
    try {
      const withHidden: Filter[] = [
        { text: 'late' },
        { text: 'ZZ-' },
        { metadata: { part: 'last' } },
        { metadata: { rare: '93' } },
      ];
      for (const filter of withHidden)
        for (const sortBy of sorts) {
          const query = queryOf(filter, sortBy, 'asc');
          const visible = (ordered.get(`${sortBy} asc`) ?? []).filter(
            (row) => row.space !== 'small-3' && matches(row, filter),
          );
          assert.deepEqual(
            (await lists.list(query)).map(({ id }) => id),
            visible.slice(0, LIMIT).map(({ id }) => id),
            JSON.stringify({ filter, sortBy }),
          );
        }
    } finally {
      await kiln.sql('delete from space_deletions where tenant_id = $1', [tenantId]);
    }
  });
});
