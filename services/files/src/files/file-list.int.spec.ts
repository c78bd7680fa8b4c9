// Real: Postgres. Faked: nothing. The cost of a list: 100,000 files of one tenant among others, with the generic plans of
// the prepared statements.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, fileStatuses } from '@kiln/contracts';
import type { Queryable, Statement } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';
import { addManyFiles, explain, kinds, touched } from '../test/many-files.js';
import { searchTermsOf } from './domain/search-terms.js';
import { collectStatement } from './file-list.collect.js';
import { skippingStatement } from './file-list.skipping.js';
import { walkStatement, type ListQuery } from './file-list.statements.js';
import { FileListStore, SKIP_MAX } from './file-list.store.js';

const OTHER_FILES = 10_000;
const AHEAD = 50_000;
const SLICE = 2_500;
const sorts = ['created_at', 'updated_at', 'filename', 'size_bytes'] as const;
const orders = ['asc', 'desc'] as const;
const AFTER = {
  created_at: '2026-06-01T00:00:00Z',
  updated_at: '2026-06-01T00:00:00Z',
  filename: '8',
  size_bytes: 9e3,
};

describe('a page of the list of files', () => {
  let kiln: FilesHarness;
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startFiles();
    await addManyFiles(kiln, tenantId);
    await addManyFiles(kiln, uuidv7(), OTHER_FILES);
  });
  afterAll(() => kiln.close());

  const query = (more: Partial<ListQuery>): ListQuery => ({
    tenantId,
    sortBy: 'created_at',
    sortOrder: 'desc',
    limit: 51,
    ...more,
  });

  it('reads only the rows it shows, for every order with and without space, status and cursor', async () => {
    for (const sortBy of sorts)
      for (const sortOrder of orders)
        for (const space of [undefined, 'big', 'small-3', 'none'])
          for (const status of [undefined, ...fileStatuses])
            for (const after of [undefined, [AFTER[sortBy], uuidv7()] as const]) {
              const nodes = await explain(
                kiln.database,
                walkStatement(query({ sortBy, sortOrder, space, status, after }), 201),
              );
              const title = JSON.stringify({ sortBy, sortOrder, space, status, after, kinds: kinds(nodes) });
              for (const kind of kinds(nodes))
                expect([title, ['Seq Scan', 'Sort', 'Incremental Sort'].includes(kind)]).toStrictEqual([title, false]);
              // Each with its space, where that is not asked for.
              const rowsMax = (space === undefined ? 2 : 1) * 51 + 2 * fileStatuses.length;
              expect([touched(nodes), title, touched(nodes) <= rowsMax]).toStrictEqual([touched(nodes), title, true]);
            }
  });

  it('reads a bounded number of files in order for a filter that no sorted index supports', async () => {
    const search = searchTermsOf('everywhere') ?? undefined;
    const filters: Partial<ListQuery>[] = [{ metadata: { half: '1' } }, { metadata: { rare: '7' } }, { search }];
    for (const sortBy of sorts)
      for (const filter of filters) {
        const nodes = await explain(kiln.database, walkStatement(query({ sortBy, space: 'big', ...filter }), 250));
        const title = JSON.stringify({ sortBy, filter, kinds: kinds(nodes) });
        for (const kind of kinds(nodes))
          expect([title, ['Seq Scan', 'Sort', 'Incremental Sort'].includes(kind)]).toStrictEqual([title, false]);
        expect([touched(nodes), title, touched(nodes) <= 2 * 250 + fileStatuses.length]).toStrictEqual([
          touched(nodes),
          title,
          true,
        ]);
      }
  });

  it('reads the matches of a selective filter from the index of that filter', async () => {
    const filters: [Partial<ListQuery>, RegExp][] = [
      [{ metadata: { rare: '7' } }, /files_by_metadata/],
      [{ metadata: { rare: '7', half: '1' }, space: 'big', status: 'completed' }, /files_by_metadata/],
      [{ search: searchTermsOf('ABC12') ?? undefined }, /file_terms_by_term/],
      [{ search: searchTermsOf('wordabc') ?? undefined, space: 'big' }, /file_terms_by_term/],
      [{ search: searchTermsOf('everywhere') ?? undefined, metadata: { rare: '7' } }, /files_by_metadata/],
    ];
    for (const [filter, index] of filters)
      for (const sortBy of sorts) {
        const nodes = await explain(kiln.database, collectStatement(query({ sortBy, ...filter })));
        const title = JSON.stringify({ sortBy, filter, kinds: kinds(nodes) });
        expect([title, nodes.some((node) => index.test(node['Index Name'] ?? ''))]).toStrictEqual([title, true]);
        expect([title, kinds(nodes).includes('Seq Scan')]).toStrictEqual([title, false]);
        expect([touched(nodes), title, touched(nodes) < 1_000]).toStrictEqual([touched(nodes), title, true]);
      }
  });

  it('stops after the sample when it fills the page, reads on when it promises to, and otherwise uses the filter’s index', async () => {
    const asked: string[] = [];
    const counting: Queryable = {
      query: (statement: Statement, values?: unknown[]) => {
        asked.push(statement.name);
        return kiln.database.query(statement, values);
      },
    };
    const lists = new FileListStore(counting);
    const steps = async (more: Partial<ListQuery>) => {
      const { files } = await lists.list(query(more));
      return [files.length, ...asked.splice(0)];
    };
    expect(await steps({ metadata: { half: '1' } })).toStrictEqual([51, 'list_created_desc_meta']);
    expect(await steps({ metadata: { rare: '7' } })).toStrictEqual([5, 'list_created_desc_meta', '']);
    expect(await steps({ search: searchTermsOf('ZZ-') ?? undefined })).toStrictEqual([
      51,
      'list_created_desc_words',
      'list_created_desc_words_long',
    ]);
    expect(await steps({ search: searchTermsOf('late') ?? undefined, sortOrder: 'asc' })).toStrictEqual([
      51,
      'list_created_asc_words',
      '',
    ]);
  });

  it('reads a bounded number of files of a deleted space, and returns a cursor that continues after them', async () => {
    const doomed = await kiln.spaceId(tenantId, 'doomed');
    for (let first = 1; first <= AHEAD; first += SLICE)
      await kiln.sql(
        `insert into files (tenant_id, id, space_id, status, filename, size_bytes, created_at, updated_at)
         select $1, gen_random_uuid(), $2, 'completed', '!' || n, 1000000 + n, at, at
         from generate_series($3::int, $4::int) n, lateral (select '2027-01-01'::timestamptz + n * interval '1 s' as at) t`,
        [tenantId, doomed, first, first + SLICE - 1],
      );
    const context = contextOf(tenantId);
    const pageAfter = (cursor: string | null, input: Pick<ListQuery, 'sortBy' | 'sortOrder'>) =>
      kiln.readFiles.list(
        { sort_by: input.sortBy, sort_order: input.sortOrder, limit: 50, ...(cursor !== null && { cursor }) },
        context,
      );
    const places = [
      { sortBy: 'created_at', sortOrder: 'desc' },
      { sortBy: 'filename', sortOrder: 'asc' },
      { sortBy: 'size_bytes', sortOrder: 'desc' },
    ] as const;
    const before = new Map<string, string[]>();
    for (const place of places) {
      const { files } = await new FileListStore(kiln.database).list(query({ ...place, space: 'big' }));
      before.set(
        place.sortBy,
        files.slice(0, 10).map(({ id }) => encodeId('file', id)),
      );
    }
    await kiln.deleteSpace.execute({ name: 'doomed', cascade: true }, context);

    for (const place of places) {
      const nodes = await explain(kiln.database, skippingStatement(query(place), SKIP_MAX));
      const read = touched(nodes);
      expect([read, kinds(nodes), read > SKIP_MAX / 2 && read <= SKIP_MAX + 2 * 51]).toStrictEqual([
        read,
        kinds(nodes),
        true,
      ]);
      const seen: string[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page = await pageAfter(cursor, place);
        seen.push(...page.files.filter(({ space }) => space === 'big').map(({ id }) => id));
        expect(page.files.every(({ space }) => space !== 'doomed')).toBe(true);
        cursor = page.next_cursor;
        pages++;
      } while (seen.length < 10 && cursor !== null);
      expect(seen.slice(0, 10)).toStrictEqual(before.get(place.sortBy));
      expect(pages).toBeLessThanOrEqual(1 + Math.ceil(AHEAD / SKIP_MAX));
    }
  });
});
