// Real: Postgres. Faked: nothing. The cost of a list: 20,000 files of one tenant among others, with the generic plans of
// the prepared statements.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileStatuses } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';
import { addManyFiles, explain, FILES, kinds, touched, type PlanNode } from '../test/many-files.js';
import { nameTermsOf } from './name-terms.domain.js';
import { collectStatement } from './file-list-collect.statement.js';
import { skippingStatement } from './file-list-skipping.statement.js';
import { walkStatement, type ListQuery, type SearchedFiles } from './file-list.statements.js';
import { SKIP_MAX } from './file-list.store.js';

const OTHER_FILES = 5_000;
/** Adds files of a deleted space in slices, so that each statement stays within the statement timeout. */
const DOOMED_FILES = 45_000;
const SLICE = 2_500;
const sorts = ['created_at', 'updated_at', 'filename', 'size_bytes'] as const;
const orders = ['asc', 'desc'] as const;
const AFTER = {
  created_at: '2026-06-01T00:00:00Z',
  updated_at: '2026-06-01T00:00:00Z',
  filename: '8',
  size_bytes: 9e3,
};

/** Whether Postgres sorts rows or reads a whole table, instead of following an index. */
const sortsOrScans = (nodes: PlanNode[]) =>
  kinds(nodes).some((kind) => ['Seq Scan', 'Sort', 'Incremental Sort'].includes(kind));

describe('a page of the list of files', () => {
  let kiln: FilesHarness;
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startFiles();
    await addManyFiles(kiln, tenantId);
    await addManyFiles(kiln, uuidv7(), OTHER_FILES);
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
  const query = (more: Partial<ListQuery>): ListQuery => ({
    tenantId,
    sortBy: 'created_at',
    sortOrder: 'desc',
    limit: 51,
    ...more,
  });

  const inOrder = sorts.flatMap((sortBy) => orders.map((sortOrder) => ({ sortBy, sortOrder })));
  it.each(inOrder)(
    'reads only the rows it shows, with and without space, status and cursor, by $sortBy $sortOrder',
    async (order) => {
      const after = [AFTER[order.sortBy], uuidv7()] as const;
      const wasteful: object[] = [];
      for (const space of [undefined, 'big', 'small-3', 'none'])
        for (const status of [undefined, ...fileStatuses])
          for (const filter of [
            { space, status },
            { space, status, after },
          ]) {
            const nodes = await explain(kiln.database, walkStatement(query({ ...order, ...filter }), 201));
            // The space of each file is read, unless the query names it.
            const rowsMax = (space === undefined ? 2 : 1) * 51 + 2 * fileStatuses.length;
            if (sortsOrScans(nodes) || touched(nodes) > rowsMax)
              wasteful.push({ ...filter, rows: touched(nodes), rowsMax, kinds: kinds(nodes) });
          }
      expect(wasteful).toStrictEqual([]);
    },
  );

  it('reads a bounded number of files in order for a filter that no sorted index supports', async () => {
    const filters: Partial<ListQuery>[] = [{ metadata: { half: '1' } }, { metadata: { rare: '7' } }];
    const wasteful: object[] = [];
    for (const sortBy of sorts)
      for (const filter of filters) {
        const nodes = await explain(kiln.database, walkStatement(query({ sortBy, space: 'big', ...filter }), 250));
        if (sortsOrScans(nodes) || touched(nodes) > 2 * 250 + fileStatuses.length)
          wasteful.push({ sortBy, filter, rows: touched(nodes), kinds: kinds(nodes) });
      }
    expect(wasteful).toStrictEqual([]);
  });

  it('reads the matches of a selective filter from the index of that filter', async () => {
    const filters: [Partial<ListQuery>, RegExp][] = [
      [{ metadata: { rare: '7' } }, /files_by_metadata/],
      [{ metadata: { rare: '7', half: '1' }, space: 'big', status: 'completed' }, /files_by_metadata/],
      [{ search: await searchOf('ABC12') }, /file_names_by_gram/],
      [{ search: await searchOf('seldom', 'size_bytes % 4001 = 7'), space: 'big' }, /file_names_by_gram/],
      [{ search: await newest(), metadata: { rare: '7' } }, /files_by_metadata/],
    ];
    const wasteful: object[] = [];
    for (const [filter, index] of filters)
      for (const sortBy of sorts) {
        const nodes = await explain(kiln.database, collectStatement(query({ sortBy, ...filter })));
        const usesIndex = nodes.some((node) => index.test(node['Index Name'] ?? ''));
        if (!usesIndex || kinds(nodes).includes('Seq Scan') || touched(nodes) >= 1_000)
          wasteful.push({ sortBy, filter, usesIndex, rows: touched(nodes), kinds: kinds(nodes) });
      }
    expect(wasteful).toStrictEqual([]);
  });

  it('skips a bounded number of files of a deleted space', async () => {
    const doomed = await kiln.spaceId(tenantId, 'doomed');
    for (let first = 1; first <= DOOMED_FILES; first += SLICE)
      await kiln.sql(
        `insert into files (tenant_id, id, space_id, status, filename, size_bytes, created_at, updated_at)
         select $1, gen_random_uuid(), $2, 'completed', '!' || n, 1000000 + n, at, at
         from generate_series($3::int, $4::int) n, lateral (select '2027-01-01'::timestamptz + n * interval '1 s' as at) t`,
        [tenantId, doomed, first, first + SLICE - 1],
      );
    await kiln.deleteSpace.execute({ name: 'doomed', cascade: true }, contextOf(tenantId));
    for (const order of [
      { sortBy: 'created_at', sortOrder: 'desc' },
      { sortBy: 'filename', sortOrder: 'asc' },
      { sortBy: 'size_bytes', sortOrder: 'desc' },
    ] as const) {
      const read = touched(await explain(kiln.database, skippingStatement(query(order), SKIP_MAX)));
      expect(read).toBeGreaterThan(SKIP_MAX / 2);
      expect(read).toBeLessThanOrEqual(SKIP_MAX + 2 * 51);
    }
  });
});
