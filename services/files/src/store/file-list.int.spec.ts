// Real: Postgres. Faked: nothing. What the list costs: 100,000 files of one tenant among others, and the plans that prepared
// statements settle on.
import { fileStatuses } from '@kiln/contracts';
import type { Queryable, Statement } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { searchTermsOf } from '../domain/search-terms.js';
import { startFiles, type FilesHarness } from '../test/files-harness.js';
import { addManyFiles, explain, kinds, touched } from '../test/many-files.js';
import { FileListStore } from './file-list.store.js';
import { collectStatement } from './file-list.collect.js';
import { walkStatement, type ListQuery } from './file-list.statements.js';

const OTHER_FILES = 10_000;
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
  before(async () => {
    kiln = await startFiles();
    await addManyFiles(kiln, tenantId);
    await addManyFiles(kiln, uuidv7(), OTHER_FILES);
  });
  after(() => kiln.close());

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
                assert.ok(!['Seq Scan', 'Sort', 'Incremental Sort'].includes(kind), title);
              assert.ok(touched(nodes) <= 51 + fileStatuses.length, `${touched(nodes)} rows: ${title}`);
            }
  });

  it('walks no more files than it may, in order, for a filter that no index orders', async () => {
    const search = searchTermsOf('everywhere') ?? undefined;
    const filters: Partial<ListQuery>[] = [{ metadata: { half: '1' } }, { metadata: { rare: '7' } }, { search }];
    for (const sortBy of sorts)
      for (const filter of filters) {
        const nodes = await explain(kiln.database, walkStatement(query({ sortBy, space: 'big', ...filter }), 250));
        const title = JSON.stringify({ sortBy, filter, kinds: kinds(nodes) });
        for (const kind of kinds(nodes)) assert.ok(!['Seq Scan', 'Sort', 'Incremental Sort'].includes(kind), title);
        assert.ok(touched(nodes) <= 2 * 250 + fileStatuses.length, `${touched(nodes)} rows: ${title}`);
      }
  });

  it('collects the few files of a filter that lets few through by that filter’s index', async () => {
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
        assert.ok(
          nodes.some((node) => index.test(node['Index Name'] ?? '')),
          title,
        );
        assert.ok(!kinds(nodes).includes('Seq Scan'), title);
        assert.ok(touched(nodes) < 1_000, `${touched(nodes)} rows: ${title}`);
      }
  });

  it('asks once where a few files fill the page, walks on where they promise to, and else collects', async () => {
    const asked: string[] = [];
    const counting: Queryable = {
      query: (statement: Statement, values?: unknown[]) => {
        asked.push(statement.name);
        return kiln.database.query(statement, values);
      },
    };
    const lists = new FileListStore(counting);
    const steps = async (more: Partial<ListQuery>) => {
      const page = await lists.list(query(more));
      return [page.length, ...asked.splice(0)];
    };
    assert.deepEqual(await steps({ metadata: { half: '1' } }), [51, 'list_created_desc_meta']);
    assert.deepEqual(await steps({ metadata: { rare: '7' } }), [5, 'list_created_desc_meta', '']);
    assert.deepEqual(await steps({ search: searchTermsOf('ZZ-') ?? undefined }), [
      51,
      'list_created_desc_words',
      'list_created_desc_words_long',
    ]);
    assert.deepEqual(await steps({ search: searchTermsOf('late') ?? undefined, sortOrder: 'asc' }), [
      51,
      'list_created_asc_words',
      '',
    ]);
  });
});
