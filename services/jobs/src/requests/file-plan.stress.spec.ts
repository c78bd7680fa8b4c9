// Real: Postgres with 50,000 jobs and as many deleted files. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database, Queryable, Statement } from '@kiln/platform';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { DeletedFileStore } from './deleted-file.store.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

const ROWS = 50_000;
const TENANT = '00000000-0000-7000-8000-000000000001';
const idOf = (number: string) => `md5((${number})::text)::uuid`;

describe(`the statements about deleted files, among ${ROWS.toLocaleString('en')} of them and as many jobs`, () => {
  let kiln: JobsHarness;
  let fileId: string;
  beforeAll(async () => {
    kiln = await startJobs();
    await kiln.sql(
      `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing)
       select $1, gen_random_uuid(), ${idOf('n / 2')}, 'default', 'a.md', true, '{}' from generate_series(1, ${ROWS}) n`,
      [TENANT],
    );
    await kiln.sql(
      `insert into deleted_files (tenant_id, file_id, deleted_at, confirmed)
       select $1, ${idOf('n')}, now() - n * interval '20 s', n > 1000 from generate_series(1, ${ROWS}) n`,
      [TENANT],
    );
    const [row] = await kiln.sql<{ id: string }>(`select ${idOf('77')} as id`);
    fileId = row?.id ?? '';
    await kiln.sql('analyze');
  });
  afterAll(() => kiln.close());

  /** Runs what the store sends, and answers how many rows the leaves of its plan have read, by index alone. */
  async function rowsRead(use: (store: DeletedFileStore, on: Queryable) => Promise<unknown>): Promise<number> {
    const sent: { text: string; values: unknown[] }[] = [];
    const recorder: Queryable = {
      query: ({ text }: Statement, values: unknown[] = []) => {
        sent.push({ text, values });
        return Promise.resolve([]);
      },
    };
    const database: Pick<Database, 'query' | 'transaction'> = {
      ...recorder,
      transaction: (work) =>
        work({
          ...recorder,
          manager: kiln.database.dataSource.manager,
          lock: () => Promise.resolve(),
          savepoint: (inner) => inner(),
        }),
    };
    await use(new DeletedFileStore(database), recorder);
    const [first] = sent;
    if (!first) throw new Error('no statement was sent');
    const explained = `explain (analyze, format json) ${first.text}`;
    const [row] = await kiln.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained, first.values);
    if (!row) throw new Error('no row');
    const leaves = flatten(row['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] && !node.Plans);
    for (const node of leaves) expect(node['Node Type']).toMatch(/Index|Bitmap|Result/);
    const read = (node: PlanNode) =>
      (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    return leaves.reduce((sum, node) => sum + read(node), 0);
  }

  it('look up one file by its key', async () => {
    expect(await rowsRead((store, on) => store.isDeleted(on, TENANT, fileId))).toBe(1);
  });

  it('find the jobs of a file by its id', async () => {
    expect(await rowsRead((store, on) => store.deleteJobs(on, TENANT, fileId))).toBe(2);
  });

  it('find those to confirm and those to remove in the order of an index', async () => {
    const confirmed = await rowsRead((store) => store.confirm(100));
    expect(confirmed).toBeGreaterThanOrEqual(100);
    expect(confirmed).toBeLessThanOrEqual(500);
    const swept = await rowsRead((store) => store.sweep(100));
    expect(swept).toBeGreaterThanOrEqual(100);
    expect(swept).toBeLessThanOrEqual(200);
  });
});
