// Real: Postgres. Faked: nothing. The worst case of a list: many files of one tenant, filters with many and few matches, and orders in
// which the matches are at the far end. Each page is compared with one made from all rows in memory.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MATCHED_FILES_MAX } from '@kiln/contracts';
import type { Queryable, Statement } from '@kiln/platform';
import { isDeepStrictEqual } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';
import { addManyFiles, FILES } from '../test/many-files.js';
import { nameTermsOf } from './name-terms.domain.js';
import type { ListQuery, Sql } from './file-list.statements.js';
import { FileListStore, sortValue, type FoundFiles } from './file-list.store.js';
import { FileWithVariantsStore } from './file-with-variants.store.js';
import type { FileRow, ListedFileRow } from './file.rows.js';
import { FilteredList } from './filtered-list.service.js';
import { ReadFiles } from './read-files.usecase.js';

const LIMIT = 51;
const sorts = ['created_at', 'updated_at', 'filename', 'size_bytes'] as const;
const orders = ['asc', 'desc'] as const;

type Filter = Pick<ListQuery, 'space' | 'status' | 'metadata'> & { text?: string };

/** The files that have a word in their content, by their size, which is also their place. */
const words: Readonly<Record<string, (place: number) => boolean>> = {
  newest: (place) => place > 0.8 * FILES,
  /** The search service names at most so many files, and some of them do not exist any more. */
  stale: (place) => place > 0.8 * FILES,
  scattered: (place) => place % 3 === 0,
  seldom: (place) => place % 997 === 5,
};

const searches = [undefined, 'ZZ-', 'abc12', 'no such name', 'newest', 'scattered', 'seldom'];
const places: Filter[] = [{}, { space: 'big' }, { status: 'completed' }, { space: 'small-3', status: 'failed' }];
const metadata: ListQuery['metadata'][] = [undefined, { half: '1' }, { part: 'last' }, { rare: '7' }, { rare: 'none' }];
const filters: Filter[] = searches
  .flatMap((text) => metadata.map((pairs) => ({ ...(text && { text }), ...(pairs && { metadata: pairs }) })))
  .filter((filter) => Object.keys(filter).length > 0);

const hasWord = ({ size_bytes: place }: FileRow, text: string) => words[text]?.(place ?? 0) ?? false;
const matches = (row: FileRow, { space, status, metadata: pairs, text }: Filter) =>
  (space === undefined || row.space === space) &&
  (status === undefined || row.status === status) &&
  Object.entries(pairs ?? {}).every(([key, value]) => row.metadata[key] === value) &&
  (text === undefined || row.filename.includes(text.toLowerCase()) || hasWord(row, text));

type Page = Pick<FoundFiles, 'files' | 'many'>;

const compared = (a: string | number, b: string | number) => (a < b ? -1 : Number(a > b));

describe('a page of a list with a filter', () => {
  let kiln: FilesHarness;
  const tenantId = uuidv7();
  const ordered = new Map<string, FileRow[]>();
  const filesWith = new Map<string, string[]>();

  beforeAll(async () => {
    kiln = await startFiles();
    await addManyFiles(kiln, tenantId);
    const rows = await kiln.sql<FileRow>(
      `select f.*, s.name as space from files f join spaces s on s.tenant_id = f.tenant_id and s.id = f.space_id`,
    );
    for (const word of Object.keys(words)) {
      const ids = rows.filter((row) => hasWord(row, word)).map(({ id }) => id);
      const gone = word === 'stale' ? Array.from({ length: MATCHED_FILES_MAX - ids.length }, () => uuidv7()) : [];
      filesWith.set(word, [...ids, ...gone]);
    }
    for (const sort of sorts) {
      const ascending = rows.toSorted(
        (a, b) => compared(sortValue(a, sort), sortValue(b, sort)) || compared(a.id, b.id),
      );
      ordered.set(`${sort} asc`, ascending).set(`${sort} desc`, ascending.toReversed());
    }
  });
  afterAll(() => kiln.close());

  function queryOf({ text, ...filter }: Filter, order: Pick<ListQuery, 'sortBy' | 'sortOrder'>): ListQuery {
    const names = nameTermsOf(text ?? '');
    const search = names ? { ...names, fileIds: filesWith.get(text ?? '') ?? [] } : undefined;
    return { ...filter, ...order, search, tenantId, limit: LIMIT };
  }
  const expected = (filter: Filter, { sortBy, sortOrder }: Pick<ListQuery, 'sortBy' | 'sortOrder'>) => {
    const found: string[] = [];
    for (const row of ordered.get(`${sortBy} ${sortOrder}`) ?? []) {
      if (matches(row, filter)) found.push(row.id);
      if (found.length === 2 * LIMIT) break;
    }
    return found;
  };
  /** A page may end early, with a cursor that continues. */
  async function pageOf(query: ListQuery): Promise<Page> {
    const lists = new FileListStore(kiln.database);
    const files: ListedFileRow[] = [];
    for (let { after, many } = query; ;) {
      const found = await lists.list({ ...query, after, many, limit: LIMIT - files.length });
      files.push(...found.files);
      ({ many } = found);
      if (found.after === null) return { files, many };
      ({ after } = found);
    }
  }

  // The queries have every filter in an ascending and a descending order, so that each order, space and status meets filters of
  // every kind.
  const lists = filters.flatMap((content, at) =>
    orders.map((sortOrder, orderAt) => ({
      filter: { ...content, ...places[(at + orderAt) % places.length] },
      sortBy: sorts[(at + orderAt * 2 + Math.floor(at / sorts.length)) % sorts.length] ?? 'created_at',
      sortOrder,
    })),
  );
  it.each(lists)('returns the right files on its first two pages: %j', async ({ filter, ...order }) => {
    const query = queryOf(filter, order);
    const pages = expected(filter, query);
    const { files: first, many } = await pageOf(query);
    expect(first.map(({ id }) => id)).toStrictEqual(pages.slice(0, LIMIT));
    const last = first.at(-1);
    if (!last) return;
    const { files: second } = await pageOf({ ...query, many, after: [sortValue(last, query.sortBy), last.id] });
    expect(second.map(({ id }) => id)).toStrictEqual(pages.slice(LIMIT));
  });

  function recorder() {
    const sent: Sql[] = [];
    const recording: Queryable = {
      query: <Row extends object>(statement: Statement, values: unknown[] = []) => {
        sent.push({ statement, values });
        return kiln.database.query<Row>(statement, values);
      },
    };
    return { recording, sent };
  }

  it('notes in its cursor that a filter has many matches', async () => {
    const { recording, sent } = recorder();
    const { files, searchLists, database } = kiln;
    const readFiles = new ReadFiles(
      new FileWithVariantsStore(database),
      files,
      new FileListStore(recording),
      searchLists,
      new FilteredList(files),
    );
    const input = { metadata: { part: 'last' }, sort_by: 'created_at', sort_order: 'asc', limit: 50 } as const;
    let { next_cursor: cursor } = await readFiles.list(input, contextOf(tenantId));
    expect(sent.splice(0).filter(({ statement }) => statement.text.includes('count_by_metadata'))).toHaveLength(1);
    for (let page = 2; page <= 4; page++) {
      if (cursor === null) throw new Error('no cursor');
      ({ next_cursor: cursor } = await readFiles.list({ ...input, cursor }, contextOf(tenantId)));
    }
    // Pages after the first neither sample nor count.
    expect(new Set(sent.map(({ statement }) => statement.name))).toStrictEqual(
      new Set(['list_created_asc_meta_after_skipping']),
    );
  });

  it('leaves out the files of a deleted space, even when they are many', async () => {
    await kiln.sql(
      `with gone as (delete from spaces where tenant_id = $1 and name = 'small-3' returning *)
       insert into deleted_spaces (tenant_id, space_id, name) select tenant_id, id, name from gone`,
      [tenantId],
    );
    const withHidden: Filter[] = [
      { text: 'newest' },
      { text: 'ZZ-' },
      { metadata: { part: 'last' } },
      { metadata: { rare: '93' } },
    ];
    const wrong: { filter: Filter; sortBy: string }[] = [];
    for (const filter of withHidden)
      for (const sortBy of sorts) {
        const visible = (ordered.get(`${sortBy} asc`) ?? []).filter(
          (row) => row.space !== 'small-3' && matches(row, filter),
        );
        const { files } = await pageOf(queryOf(filter, { sortBy, sortOrder: 'asc' }));
        const ids = files.map(({ id }) => id);
        const visibleIds = visible.slice(0, LIMIT).map(({ id }) => id);
        if (!isDeepStrictEqual(ids, visibleIds)) wrong.push({ filter, sortBy });
      }
    expect(wrong).toStrictEqual([]);
  });
});
