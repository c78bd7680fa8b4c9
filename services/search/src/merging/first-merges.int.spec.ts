// Real: Postgres, without autovacuum, after which plans are made again. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueryPlans, withoutAutovacuum } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { startSearch, type SearchHarness } from '../test/search-harness.js';
import { extendBlocks, lastBlocks, lockFiles, numberFiles, readTailSizes, takeTail } from './merge.statements.js';
import { deleteBlocks } from './purge.statements.js';

const ROWS = 4_000;
const USED = 100;

const used = <Value>(of: (at: number) => Value) => Array.from({ length: USED }, (_, at) => of(ROWS - at));
const terms = used((at) => `term${at}`);
const files = used((at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`);

describe('the statements of a merge that were planned while the index was empty', () => {
  let kiln: SearchHarness;
  let plans: QueryPlans;
  const tenantId = randomUUID();
  const cases = [
    [lastBlocks, [tenantId, terms]],
    [extendBlocks, [tenantId, terms, used(Number), used(() => 5_000), used(() => 1), used(() => 'AAAA')]],
    [deleteBlocks, [tenantId, terms, used(Number)]],
    [lockFiles, [tenantId, files]],
    [readTailSizes, [tenantId, files, null]],
    [takeTail, [tenantId, files, used(() => 0)]],
    [numberFiles, [tenantId, files, used((at) => 10_000 + at)]],
  ] as const;

  beforeAll(async () => {
    kiln = await startSearch();
    await withoutAutovacuum(kiln.database);
    plans = await QueryPlans.open(kiln.database);
    for (const [statement, values] of cases) await plans.plan(statement, values);
    const insert = (into: string, columns: string) =>
      kiln.database.query(
        { name: '', text: `insert into ${into} select ${columns} from generate_series(1, ${ROWS}) n` },
        [tenantId],
      );
    const fileId = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
    await insert('posting_blocks (tenant_id, term, first, last, count, data)', `$1, 'term' || n, n, n, 1, '@@AA'`);
    await insert('files (tenant_id, file_id, job_number, fence)', `$1, ${fileId}, 1, 1`);
    await insert(
      'tail_parts (tenant_id, file_id, part, last_place, data, job_number, fence)',
      `$1, ${fileId}, 0, 1, '', 1, 1`,
    );
  });
  afterAll(async () => {
    await plans.close();
    await kiln.close();
  });

  for (const [statement, values] of cases) {
    it(`look up each row: ${statement.name}`, async () => {
      const read = await plans.largestStep(statement, values);
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThanOrEqual(2 * USED);
    });
  }
});
