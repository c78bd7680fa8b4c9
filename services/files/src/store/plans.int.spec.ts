// Real: Postgres with 50,000 rows in each queue and 50,000 files in batches. Faked: nothing.
import type { Queryable, Statement } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startFiles, type FilesHarness } from '../test/files-harness.js';
import { BatchStore } from './batch.store.js';
import { DeletionStore } from './deletion.store.js';
import { PendingUploadStore } from './pending-upload.store.js';
import { ProcessingCheckStore } from './processing-check.store.js';
import { RemovalStore } from './removal.store.js';

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
const SLICE = 10_000;
/** So often Postgres plans for the values it is given. */
const USES_BEFORE_CHOICE = 6;
const TENANT = '00000000-0000-7000-8000-000000000001';
const BATCH = '00000000-0000-7000-8000-0000000000bb';
const FILES_IN_BATCH = 50;

describe(`the statements of queues and batches, among ${ROWS.toLocaleString('en')} rows each`, () => {
  let kiln: FilesHarness;
  before(async () => {
    kiln = await startFiles();
    const batchOf = `case when n <= ${FILES_IN_BATCH} then $2::uuid else ${idOf(`n / ${FILES_IN_BATCH}`)} end`;
    // In slices: each statement stays within the time that the service allows one.
    for (let first = 1; first <= ROWS; first += SLICE) {
      const rows = `generate_series(${first}, ${first + SLICE - 1}) n`;
      const insert = (into: string, columns: string, values: unknown[] = [TENANT]) =>
        kiln.sql(`insert into ${into} select ${columns} from ${rows}`, values);
      await insert(
        'files (tenant_id, id, space, status, filename)',
        `$1, ${idOf('n')}, 'default', 'uploading', n::text`,
      );
      await insert(
        'pending_uploads (tenant_id, file_id, expires_at, next_check_at)',
        `$1, ${idOf('n')}, now(), now() - n * interval '1 ms'`,
      );
      await insert(
        'object_removals (tenant_id, file_id, reason, next_attempt_at)',
        `$1, ${idOf('n')}, 'deleted', now() - n * interval '1 ms'`,
      );
      await insert(
        'space_deletions (tenant_id, space, cutoff, next_attempt_at)',
        `gen_random_uuid(), 's', now() - interval '1 d', now() - n * interval '1 ms'`,
        [],
      );
      await kiln.sql(
        `insert into batches (tenant_id, id) select distinct $1::uuid, ${batchOf} from ${rows} on conflict do nothing`,
        [TENANT, BATCH],
      );
      await insert('batch_files (tenant_id, batch_id, file_id)', `$1, ${batchOf}, ${idOf('n')}`, [TENANT, BATCH]);
    }
    await kiln.sql('analyze');
  });
  after(() => kiln.close());

  /**
   * What the scans of the plan have read: by index alone, kept and thrown away together. It is the plan that a prepared
   * statement ends up with, once Postgres has chosen between one for these values and one for all.
   */
  async function rowsRead(use: (recorder: Queryable) => Promise<unknown>): Promise<number> {
    const { text, values } = await sentBy(use);
    return kiln.database.transaction(async (transaction) => {
      const run = (sql: string) => transaction.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({ name: '', text: sql });
      await run(`prepare explained as ${text}`);
      const explain = `explain (analyze, format json) execute explained${values.length > 0 ? `(${values.map(literal).join()})` : ''}`;
      for (let use = 0; use < USES_BEFORE_CHOICE; use++) await run(explain);
      const [row] = await run(explain);
      await run('deallocate explained');
      assert.ok(row);
      const isScan = (node: PlanNode) => node['Relation Name'] !== undefined && node['Node Type'].endsWith('Scan');
      const scans = flatten(row['QUERY PLAN'][0].Plan).filter(isScan);
      for (const node of scans) assert.match(node['Node Type'], /Index|Bitmap/, JSON.stringify(node));
      const read = (node: PlanNode) =>
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
      return scans.reduce((sum, node) => sum + read(node), 0);
    });
  }

  it('claim what is due by index, and read no row that they do not claim', async () => {
    const removals = await rowsRead((recorder) => new RemovalStore(recorder).claimDue(100, 60));
    // Each is found in its turn, found by its key, and its file is looked for.
    assert.ok(removals > 0 && removals <= 300, `${removals} rows for 100 removals`);
    const spaces = await rowsRead((recorder) => new DeletionStore(recorder, 3_600).claimSpace(60));
    assert.ok(spaces > 0 && spaces <= 2, `${spaces} rows for one space`);
    const uploads = await rowsRead((recorder) => new PendingUploadStore(recorder).claimDue(40));
    assert.ok(uploads > 0 && uploads <= 80, `${uploads} rows for 40 uploads`);
  });

  it('look up when the next row is due by index, and read that row alone', async () => {
    const lookUps = [
      (recorder: Queryable) => new RemovalStore(recorder).nextDueInMs(),
      (recorder: Queryable) => new DeletionStore(recorder, 3_600).nextDueInMs(),
      (recorder: Queryable) => new PendingUploadStore(recorder).nextDueInMs(),
    ];
    for (const lookUp of lookUps) assert.equal(await rowsRead(lookUp), 1);
  });

  it('read files that have been processing for long page by page by index, however many others there are', async () => {
    await kiln.sql(
      `insert into files (tenant_id, id, space, status, filename, job_id, updated_at)
       select $1, gen_random_uuid(), 'default', 'processing', n::text, gen_random_uuid(), now() - n * interval '1 min'
       from generate_series(1, 2000) n`,
      [TENANT],
    );
    await kiln.sql('analyze file_rows');
    const [first] = await new ProcessingCheckStore(kiln.database).page(900, null, 100);
    const read = await rowsRead((recorder) => new ProcessingCheckStore(recorder).page(900, first ?? null, 100));
    // Each is looked up in the spaces that are being deleted.
    assert.ok(read > 0 && read <= 200, `${read} rows for 100 files`);
  });

  it('read a batch by the keys of its files', async () => {
    const read = await rowsRead((recorder) => new BatchStore(recorder).find(TENANT, BATCH, 10));
    assert.ok(
      read > FILES_IN_BATCH && read <= 1 + 4 * FILES_IN_BATCH,
      `${read} rows for ${FILES_IN_BATCH} files, ten of them listed`,
    );
  });
});

/** A UUID that is the same for the same number, as SQL. */
function idOf(number: string): string {
  return `md5((${number})::text)::uuid`;
}

function literal(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return `'${value instanceof Date ? value.toISOString() : String(value)}'`;
}

/** What a store sends to the database, instead of sending it. */
async function sentBy(use: (recorder: Queryable) => Promise<unknown>): Promise<{ text: string; values: unknown[] }> {
  const sent: { text: string; values: unknown[] }[] = [];
  await use({
    query: ({ text }: Statement, values: unknown[] = []) => {
      sent.push({ text, values });
      return Promise.resolve([]);
    },
  });
  assert.ok(sent[0]);
  return sent[0];
}
