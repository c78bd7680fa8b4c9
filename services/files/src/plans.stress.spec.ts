// Real: Postgres with 50,000 rows in each queue. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@kiln/platform';
import { planNodes, rowsExamined, sentBy, type PlanNode } from '@kiln/testing';
import { DeletionStore } from './deletion/deletion.store.js';
import { RemovalStore } from './deletion/removal.store.js';
import { ProcessingCheckStore } from './processing/processing-check.store.js';
import { ReplacementStore } from './replacements/replacement.store.js';
import { startFiles, type FilesHarness } from './test/files-harness.js';
import { EndedUploadStore } from './uploads/ended-upload.store.js';
import { PendingUploadStore } from './uploads/pending-upload.store.js';

const ROWS = 50_000;
const SLICE = 10_000;
/** Postgres makes this many custom plans before it considers a generic one. */
const USES_BEFORE_CHOICE = 6;
const TENANT = '00000000-0000-7000-8000-000000000001';

describe(`the statements of queues, among ${ROWS.toLocaleString('en')} rows each`, () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles();
    const spaceId = await kiln.spaceId(TENANT, 'default');
    // Rows are added in slices, so that each statement stays within the statement timeout.
    for (let first = 1; first <= ROWS; first += SLICE) {
      const rows = `generate_series(${first}, ${first + SLICE - 1}) n`;
      const insert = (into: string, columns: string, values: unknown[] = [TENANT]) =>
        kiln.sql(`insert into ${into} select ${columns} from ${rows}`, values);
      await insert('files (tenant_id, id, space_id, status, filename)', `$1, ${idOf('n')}, $2, 'uploading', n::text`, [
        TENANT,
        spaceId,
      ]);
      await insert(
        'pending_uploads (tenant_id, file_id, expires_at, due_at)',
        `$1, ${idOf('n')}, now(), now() - n * interval '1 ms'`,
      );
      await insert('ended_uploads (tenant_id, file_id, due_at)', `$1, ${idOf('n')}, now() - n * interval '1 ms'`);
      await insert(
        'object_removals (tenant_id, file_id, reason, due_at)',
        `$1, ${idOf('n')}, 'deleted', now() - n * interval '1 ms'`,
      );
      await insert(
        'deleted_spaces (tenant_id, space_id, name, due_at)',
        `gen_random_uuid(), gen_random_uuid(), 's', now() - n * interval '1 ms'`,
        [],
      );
      await insert(
        'replacements (tenant_id, upload_id, file_id, upload, expires_at, due_at)',
        `$1, gen_random_uuid(), ${idOf('n')}, '{}', now(), now() - n * interval '1 ms'`,
      );
      await insert('spaces (tenant_id, name)', `gen_random_uuid(), 'default'`, []);
    }
    await kiln.sql('analyze');
  });
  afterAll(() => kiln.close());

  /**
   * The number of rows that the scans of the plan have read, including filtered ones. All scans use an index. The plan is the one
   * that Postgres keeps for a prepared statement after it has compared custom and generic plans.
   */
  async function rowsRead(use: (recorder: Database) => Promise<unknown>): Promise<number> {
    const { text, values } = await sentBy(use);
    return kiln.database.transaction(async (transaction) => {
      const run = (sql: string) => transaction.query({ name: '', text: sql });
      await run(`prepare explained as ${text}`);
      const explain = `explain (analyze, format json) execute explained${values.length > 0 ? `(${values.map(literal).join()})` : ''}`;
      for (let use = 0; use < USES_BEFORE_CHOICE; use++) await run(explain);
      const nodes = planNodes(await run(explain));
      await run('deallocate explained');
      const isScan = (node: PlanNode) => node['Relation Name'] !== undefined && node['Node Type'].endsWith('Scan');
      const scans = nodes.filter(isScan);
      for (const node of scans) expect(node['Node Type']).toMatch(/Index|Bitmap|Tid/);
      return scans.reduce((sum, node) => sum + rowsExamined(node), 0);
    });
  }

  it('claim due rows by index, and read no other rows', async () => {
    const removals = await rowsRead((recorder) => new RemovalStore(recorder).claimDue(100, 60));
    // The claim finds each row by due time, then by its key, and looks up its file.
    expect(removals).toBeGreaterThan(0);
    expect(removals).toBeLessThanOrEqual(300);
    const spaces = await rowsRead((recorder) => new DeletionStore(recorder, 3_600).claimSpace(60));
    expect(spaces).toBeGreaterThan(0);
    expect(spaces).toBeLessThanOrEqual(2);
    const uploads = await rowsRead((recorder) => new PendingUploadStore(recorder).claimDue(40));
    expect(uploads).toBeGreaterThan(0);
    // The claim reads 200 uploads of the tenant, and locks and writes 40 groups of them.
    expect(uploads).toBeLessThanOrEqual(300);
    const replacements = await rowsRead((recorder) => new ReplacementStore(recorder).claimDue(40));
    expect(replacements).toBeGreaterThan(0);
    // The claim finds the tenant, reads 40 of its replacements, locks them and writes them.
    expect(replacements).toBeLessThanOrEqual(130);
  });

  it('claim last checks by index, and read no other rows', async () => {
    const checks = await rowsRead((recorder) => new EndedUploadStore(recorder).claimDue(100, 60));
    expect(checks).toBeGreaterThan(0);
    expect(checks).toBeLessThanOrEqual(200);
  });

  it('look up the next due row by index, and read only that row', async () => {
    const lookUps = [
      (recorder: Database) => new RemovalStore(recorder).nextDueInMs(),
      (recorder: Database) => new DeletionStore(recorder, 3_600).nextDueInMs(),
      (recorder: Database) => new PendingUploadStore(recorder).nextDueInMs(),
      (recorder: Database) => new EndedUploadStore(recorder).nextDueInMs(),
    ];
    for (const lookUp of lookUps) expect(await rowsRead(lookUp)).toBe(1);
  });

  it('page through files that have been processing for long by index, however many other files exist', async () => {
    await kiln.sql(
      `insert into files (tenant_id, id, space_id, status, filename, job_id, updated_at)
       select $1, gen_random_uuid(), $2, 'processing', n::text, gen_random_uuid(), now() - n * interval '1 min'
       from generate_series(1, 2000) n`,
      [TENANT, await kiln.spaceId(TENANT, 'default')],
    );
    await kiln.sql('analyze files');
    const [first] = await new ProcessingCheckStore(kiln.database).page(900, null, 100);
    const read = await rowsRead((recorder) => new ProcessingCheckStore(recorder).page(900, first ?? null, 100));
    // The space of each file is read, too.
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(200);
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
