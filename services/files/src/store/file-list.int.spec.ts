// Real: Postgres. Faked: nothing. What the list costs: 100,000 files of one tenant among others, and the plans that prepared
// statements settle on.
import { fileStatuses } from '@kiln/contracts';
import type { Queryable, Statement } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { searchTermsOf } from '../domain/search-terms.js';
import { startFiles, type FilesHarness } from '../test/files-harness.js';
import { FileListStore } from './file-list.store.js';
import { collectStatement, walkStatement, type ListQuery, type Sql } from './file-list.statements.js';

const FILES = 100_000;
const OTHER_FILES = 10_000;
const SLICE = 2_500;
const sorts = ['created_at', 'updated_at', 'filename', 'size_bytes'] as const;
const orders = ['asc', 'desc'] as const;
const AFTER = {
  created_at: '2026-06-01T00:00:00Z',
  updated_at: '2026-06-01T00:00:00Z',
  filename: '8',
  size_bytes: 9e3,
};

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('a page of the list of files', () => {
  let kiln: FilesHarness;
  const tenantId = uuidv7();
  before(async () => {
    kiln = await startFiles();
    for (let first = 1; first <= FILES; first += SLICE) await addFiles(tenantId, first);
    const other = uuidv7();
    for (let first = 1; first <= OTHER_FILES; first += SLICE) await addFiles(other, first);
    await kiln.sql('vacuum analyze file_rows');
    await kiln.sql('vacuum analyze file_terms');
  });
  after(() => kiln.close());

  /** Files `first` to `first + SLICE - 1`; each statement stays within the time that the service allows one. */
  async function addFiles(tenant: string, first: number): Promise<void> {
    await kiln.sql(
      `with added as (
         insert into files (tenant_id, id, space, status, filename, size_bytes, metadata, created_at, updated_at)
         select $1, gen_random_uuid(), case when n % 100 < 90 then 'big' else 'small-' || n % 7 end,
           case when n % 1000 = 0 then 'failed' when n % 500 = 1 then 'processing' else 'completed' end,
           left(md5(n::text), 8) || '.pdf', n, jsonb_build_object('half', (n % 2)::text, 'rare', (n % 20000)::text, 'part',
             case when n between 5000 and 20000 then 'late' when n > 85000 then 'last' else '' end),
           '2026-01-01'::timestamptz + n * interval '1 s', '2026-01-01'::timestamptz + n * interval '7 s'
         from generate_series($2::int, $3::int) n
         returning tenant_id, id, filename)
       insert into file_terms (tenant_id, file_id, name, words)
       select tenant_id, id, filename, array['everywhere', 'word' || left(filename, 3)] from added`,
      [tenant, first, first + SLICE - 1],
    );
  }

  const query = (more: Partial<ListQuery>): ListQuery => ({
    tenantId,
    sortBy: 'created_at',
    sortOrder: 'desc',
    limit: 51,
    ...more,
  });

  /** A value as SQL text: an array in the database's own form, an object as JSON. */
  const literal = (value: unknown): string => {
    if (Array.isArray(value)) return quoted(`{${value.map((part) => JSON.stringify(part)).join()}}`);
    return quoted(typeof value === 'string' ? value : JSON.stringify(value));
  };
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

  /** Runs it, a named statement with the plan that serves all values, and tells what it did. */
  async function explain({ statement, values }: Sql): Promise<PlanNode[]> {
    return kiln.database.transaction(async (transaction) => {
      const run = (text: string) => transaction.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>({ name: '', text });
      await run(`set local plan_cache_mode = force_${statement.name === '' ? 'custom' : 'generic'}_plan`);
      await run(`prepare listed as ${statement.text}`);
      const [row] = await run(`explain (analyze, format json) execute listed (${values.map(literal).join()})`);
      await run('deallocate listed');
      const [plan] = row?.['QUERY PLAN'] ?? [];
      assert.ok(plan);
      return nodesOf(plan.Plan);
    });
  }

  const touched = (nodes: PlanNode[]) =>
    nodes
      .filter((node) => node['Node Type'].includes('Scan') && node.Plans === undefined)
      .reduce(
        (sum, node) =>
          sum + ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
        0,
      );
  const kinds = (nodes: PlanNode[]) => nodes.map((node) => node['Node Type']);

  it('reads only the rows it shows, for every order with and without space, status and cursor', async () => {
    for (const sortBy of sorts)
      for (const sortOrder of orders)
        for (const space of [undefined, 'big', 'small-3', 'none'])
          for (const status of [undefined, ...fileStatuses])
            for (const after of [undefined, [AFTER[sortBy], uuidv7()] as const]) {
              const nodes = await explain(walkStatement(query({ sortBy, sortOrder, space, status, after }), 201));
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
        const nodes = await explain(walkStatement(query({ sortBy, space: 'big', ...filter }), 250));
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
      [
        { search: searchTermsOf('wordabc') ?? undefined, metadata: { half: '1' } },
        /file_terms_by_term|files_by_metadata/,
      ],
    ];
    for (const [filter, index] of filters)
      for (const sortBy of sorts) {
        const nodes = await explain(collectStatement(query({ sortBy, ...filter })));
        const title = JSON.stringify({ sortBy, filter, kinds: kinds(nodes) });
        assert.ok(
          nodes.some((node) => index.test(node['Index Name'] ?? '')),
          title,
        );
        assert.ok(!kinds(nodes).includes('Seq Scan'), title);
        assert.ok(touched(nodes) < 1_000, `${touched(nodes)} rows: ${title}`);
      }
  });

  it('asks once where the walk fills the page, and then counts and collects where few match', async () => {
    const asked: string[] = [];
    const counting: Queryable = {
      query: (statement: Statement, values?: unknown[]) => {
        asked.push(statement.name);
        return kiln.database.query(statement, values);
      },
    };
    const lists = new FileListStore(counting);
    assert.equal((await lists.list(query({ metadata: { half: '1' } }))).length, 51);
    assert.deepEqual(asked, ['list_created_desc_meta']);
    assert.equal((await lists.list(query({ metadata: { rare: '7' } }))).length, 5);
    assert.equal((await lists.list(query({ search: searchTermsOf('EVERYWHERE') ?? undefined }))).length, 51);
    assert.deepEqual(asked.slice(1), ['list_created_desc_meta', '', '', 'list_created_desc_words']);
  });

  it('looks further for matches that are many, and lie behind the first files or far from them', async () => {
    const lists = new FileListStore(kiln.database);
    for (const [key, first] of [
      ['late', 5_000],
      ['last', 85_001],
    ] as const) {
      const page = await lists.list(query({ sortBy: 'size_bytes', sortOrder: 'asc', metadata: { part: key } }));
      assert.deepEqual(
        page.map(({ size_bytes: size }) => size),
        Array.from({ length: 51 }, (_, at) => first + at),
      );
    }
  });
});
