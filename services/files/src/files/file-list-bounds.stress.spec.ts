// Real: Postgres. Faked: nothing. The worst case of a list: many files of one tenant, and filters with many matches.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MATCHED_FILES_MAX } from '@kiln/contracts';
import type { Queryable, Statement } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { startFiles, type FilesHarness } from '../test/files-harness.js';
import { addManyFiles, explain, FILES, inBitmaps, touched } from '../test/many-files.js';
import { nameTermsOf } from './name-terms.domain.js';
import { collectStatement } from './file-list-collect.statement.js';
import { skippingStatement } from './file-list-skipping.statement.js';
import type { ListQuery, SearchedFiles, Sql } from './file-list.statements.js';
import { FileListStore, SEARCHED_SKIP_MAX, SKIP_MAX, SKIP_WALK_MAX, sortValue } from './file-list.store.js';

const LIMIT = 51;
/** Each filter has the matches that a page may look up, and one more. */
const FEW_MAX = 2_001;
const SORTS = ['created_at', 'updated_at', 'filename', 'size_bytes'] as const;
const ORDERS = ['asc', 'desc'] as const;

describe('a page of a list with a filter', () => {
  let kiln: FilesHarness;
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startFiles();
    await addManyFiles(kiln, tenantId);
  });
  afterAll(() => kiln.close());

  /** The search: a name, and the files with these sizes, whose content has a word. */
  async function searchOf(text: string, sizes = 'false'): Promise<SearchedFiles> {
    const rows = await kiln.sql<{ id: string }>(`select id from files where tenant_id = $1 and ${sizes}`, [tenantId]);
    const names = nameTermsOf(text);
    if (!names) throw new Error('no text');
    return { ...names, fileIds: rows.map(({ id }) => id) };
  }
  const newest = () => searchOf('newest', `size_bytes > ${0.8 * FILES}`);
  /** The search service names at most so many files, and some of them do not exist any more. */
  async function stale(): Promise<SearchedFiles> {
    const { fileIds, ...names } = await searchOf('stale', `size_bytes > ${0.8 * FILES}`);
    const gone = Array.from({ length: MATCHED_FILES_MAX - fileIds.length }, () => uuidv7());
    return { ...names, fileIds: [...fileIds, ...gone] };
  }
  const seldom = () => searchOf('seldom', 'size_bytes % 997 = 5');
  const searches = { newest, stale, seldom, 'ZZ-': () => searchOf('ZZ-') };
  type Filter = Partial<ListQuery> & { text?: keyof typeof searches };
  async function queryOf(
    { text, ...filter }: Filter,
    order: Pick<ListQuery, 'sortBy' | 'sortOrder'>,
  ): Promise<ListQuery> {
    const search = text === undefined ? undefined : await searches[text]();
    return { ...filter, ...order, search, tenantId, limit: LIMIT };
  }

  const adverse: Filter[] = [
    { text: 'ZZ-' },
    { text: 'stale' },
    { text: 'newest', space: 'big' },
    { metadata: { part: 'last' } },
    { text: 'ZZ-', metadata: { part: 'last' } },
    { text: 'newest', metadata: { part: 'early' } },
  ];
  const adverseLists = adverse.flatMap((filter) =>
    SORTS.flatMap((sortBy) => ORDERS.map((sortOrder) => ({ filter, sortBy, sortOrder }))),
  );
  it.each(adverseLists)(
    'reads a bounded number of rows, however many files match: %j',
    async ({ filter, ...order }) => {
      const list = await queryOf(filter, order);
      const collected = await explain(kiln.database, collectStatement(list));
      // The rows are the matches of both filters, and for one filter the look-ups in files and in names.
      expect(touched(collected) - inBitmaps(collected)).toBeLessThanOrEqual(4 * FEW_MAX);
      const skipped = touched(await explain(kiln.database, skippingStatement(list, SKIP_WALK_MAX)));
      // Each status may have read one row more. The name of each file and the space of each listed file are looked up.
      expect(skipped).toBeLessThanOrEqual(2 * SKIP_WALK_MAX + LIMIT + 10);
    },
  );

  const withMany: Filter[] = [
    { text: 'ZZ-' },
    { metadata: { part: 'last' } },
    { text: 'ZZ-', metadata: { part: 'last' } },
    { text: 'seldom', metadata: { part: 'last' } },
  ];
  it.each(withMany)('finds all matches of a filter once, not for each page: %j', async (filter) => {
    const query = await queryOf(filter, { sortBy: 'created_at', sortOrder: 'asc' });
    const pages: { bitmaps: number; rows: number }[] = [];
    const sent: Sql[] = [];
    const recording: Queryable = {
      query: <Row extends object>(statement: Statement, values: unknown[] = []) => {
        sent.push({ statement, values });
        return kiln.database.query<Row>(statement, values);
      },
    };
    let place: Pick<ListQuery, 'after' | 'many'> = {};
    for (let page = 0; page < 3; page++) {
      const { files, after, many } = await new FileListStore(recording).list({ ...query, ...place });
      const plans = [];
      for (const sql of sent.splice(0)) plans.push(...(await explain(kiln.database, sql)));
      pages.push({ bitmaps: inBitmaps(plans), rows: touched(plans) });
      const last = files.at(-1);
      place = { many, after: after ?? (last && [sortValue(last, query.sortBy), last.id]) };
    }
    const [first, ...others] = pages;
    expect(first?.bitmaps).toBeGreaterThan(FEW_MAX);
    for (const { bitmaps, rows } of others) {
      expect(bitmaps).toBeLessThan(FEW_MAX);
      expect(rows).toBeLessThanOrEqual(2 * (query.search ? SEARCHED_SKIP_MAX : SKIP_MAX) + FEW_MAX);
    }
  });
});
