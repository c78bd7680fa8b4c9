// A tenant with many files among others, and what a statement reads there, for specs about the cost of lists.
import type { Database } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import type { Sql } from '../files/file-list.statements.js';
import type { FilesHarness } from './files-harness.js';

/** Filters with many matches have more than a list looks up one by one, and more than it samples. */
export const FILES = 20_000;
const SLICE = 2_500;

export interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** One in five names begins with `zz-`, behind all others. The newest files are the largest: file n has n bytes. */
export async function addManyFiles(kiln: FilesHarness, tenantId: string, count = FILES): Promise<void> {
  await addSpaces(kiln, tenantId);
  for (let first = 1; first <= count; first += SLICE) await addSlice(kiln, tenantId, first, count);
  await vacuum(kiln, 'files');
  await vacuum(kiln, 'file_names');
}

/**
 * Waits until index-only scans need no page of the table. A transaction that began before the last row was committed, such as one
 * of a worker, keeps a vacuum from marking the pages of such rows.
 */
async function vacuum(kiln: FilesHarness, table: string): Promise<void> {
  await eventually(async () => {
    await kiln.sql(`vacuum analyze ${table}`);
    const [pages] = await kiln.sql<{ all: number; visible: number }>(
      `select relpages as "all", relallvisible as visible from pg_class where oid = $1::regclass`,
      [table],
    );
    return pages !== undefined && pages.visible === pages.all;
  });
}

/** The spaces of these files, among others. */
async function addSpaces(kiln: FilesHarness, tenantId: string): Promise<void> {
  await kiln.sql(
    `select from hold_spaces($1, array(select 'small-' || n from generate_series(0, 6) n) || 'big'::text)`,
    [tenantId],
  );
  await kiln.sql(
    `insert into spaces (tenant_id, name) select gen_random_uuid(), 'other' from generate_series(1, 5000)`,
  );
  await vacuum(kiln, 'spaces');
}

/** Adds files `first` to `first + SLICE - 1`. Each statement stays within the time that the service allows one. */
async function addSlice(kiln: FilesHarness, tenantId: string, first: number, count: number): Promise<void> {
  await kiln.sql(
    `with added as (
       insert into files (tenant_id, id, space_id, status, filename, size_bytes, metadata, created_at, updated_at)
       select $1, gen_random_uuid(), s.id,
         case when n % 1000 = 0 then 'failed' when n % 500 = 1 then 'processing' else 'completed' end,
         case when n % 5 = 2 then 'zz-' else '' end || left(md5(n::text), 8) || '.pdf', n,
         jsonb_build_object('half', (n % 2)::text, 'sixth', (n % 6)::text, 'rare', (n % ($4::int / 5))::text, 'part',
           case when n between $4 * 0.05 and $4 * 0.2 then 'early' when n > $4 * 0.85 then 'last' else '' end),
         '2026-01-01'::timestamptz + n * interval '1 s', '2026-01-01'::timestamptz + n * interval '7 s'
       from generate_series($2::int, $3::int) n
         join spaces s on s.tenant_id = $1 and s.name = case when n % 100 < 90 then 'big' else 'small-' || n % 7 end
       returning tenant_id, id, filename)
     insert into file_names (tenant_id, file_id, name) select tenant_id, id, filename from added`,
    [tenantId, first, first + SLICE - 1, count],
  );
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A value as SQL text: an array in the database's own form, an object as JSON. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return quoted(`{${value.map((part) => JSON.stringify(part)).join()}}`);
  return quoted(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Runs a statement, with its generic plan if it is named, and returns what it did; the root of the plan comes first. */
export async function explain(database: Database, { statement, values }: Sql): Promise<PlanNode[]> {
  return database.transaction(async (transaction) => {
    const run = (text: string) => transaction.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>({ name: '', text });
    await run(`set local plan_cache_mode = force_${statement.name === '' ? 'custom' : 'generic'}_plan`);
    await run(`prepare listed as ${statement.text}`);
    const [row] = await run(`explain (analyze, buffers, format json) execute listed (${values.map(literal).join()})`);
    await run('deallocate listed');
    const [plan] = row?.['QUERY PLAN'] ?? [];
    if (!plan) throw new Error('no plan');
    return nodesOf(plan.Plan);
  });
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Rows that scans of tables and indexes have read. A bitmap of an index has all of its matches, however few are then looked up. */
export const touched = (nodes: PlanNode[]) => rowsOf(nodes, /^(Index|Seq|Bitmap (Heap|Index)).* Scan$/);

/** The number of these rows that are in bitmaps of indexes. */
export const inBitmaps = (nodes: PlanNode[]) => rowsOf(nodes, /^Bitmap Index Scan$/);

const rowsOf = (nodes: PlanNode[], kind: RegExp) =>
  nodes
    .filter((node) => kind.test(node['Node Type']))
    .reduce(
      (sum, node) =>
        sum + ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
      0,
    );

/** The nodes of the plan that were executed. */
export const kinds = (nodes: PlanNode[]) =>
  nodes.filter((node) => node['Actual Loops'] !== 0).map((node) => node['Node Type']);
