// Real: Postgres, with as many rows as make a wrong plan slow. FAKED: nothing.
import type { Queryable } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { placeJobs } from '../test/place-jobs.js';
import { PageReservationStore } from './page-reservation.store.js';
import { UsageStore } from './usage.store.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const TENANTS = 500;
const RESERVATIONS_EACH = 100;
const TABLES = new Set(['page_reservations', 'jobs', 'usage_entries', 'usage_totals']);

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

describe(`pages among those of ${TENANTS} tenants with ${RESERVATIONS_EACH} reservations, jobs and entries each`, () => {
  let kiln: JobsHarness;
  let tenantId: string;
  before(async () => {
    kiln = await startJobs();
    const tenants = Array.from({ length: TENANTS }, () => uuidv7());
    tenantId = tenants[0] ?? '';
    const rows = `unnest($1::uuid[]) as t (id), generate_series(1, ${RESERVATIONS_EACH}) as n`;
    await kiln.sql(
      `insert into page_reservations select id, gen_random_uuid(), 100, 1000, now(), now() + n * interval '1 minute' from ${rows}`,
      [tenants],
    );
    await kiln.sql(
      `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing)
       select tenant_id, job_id, gen_random_uuid(), 'default', 'a.md', true, '{}' from page_reservations`,
    );
    await placeJobs(kiln);
    const month = `date_trunc('month', now() at time zone 'utc')`;
    await kiln.sql(`insert into usage_entries select id, ${month}, gen_random_uuid(), n, 100 from ${rows}`, [tenants]);
    await kiln.sql(`insert into usage_totals select id, ${month}, 100 from unnest($1::uuid[]) as t (id)`, [tenants]);
    await kiln.sql('analyze page_reservations, jobs, usage_entries, usage_totals');
  });
  after(() => kiln.close());

  /** Rows that the statement sent by `work` reads of each table; fails when it reads a table from end to end. */
  async function rowsRead(work: (on: Queryable) => Promise<unknown>): Promise<Record<string, number>> {
    const sent: { text: string; values: unknown[] | undefined }[] = [];
    await work({
      query: (statement, values) => {
        sent.push({ text: statement.text, values });
        return kiln.database.query(statement, values);
      },
    });
    const [first] = sent;
    assert.ok(first && sent.length === 1, 'one statement');
    const explain = `explain (analyze, format json) ${first.text}`;
    const [row] = await kiln.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain, first.values);
    assert.ok(row);
    const read: Record<string, number> = {};
    for (const node of flatten(row['QUERY PLAN'][0].Plan)) {
      const table = node['Relation Name'];
      if (table === undefined || !TABLES.has(table) || node['Node Type'] === 'ModifyTable') continue;
      assert.notEqual(node['Node Type'], 'Seq Scan', table);
      const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
      read[table] = (read[table] ?? 0) + rows;
    }
    return read;
  }

  it('judging a reservation reads the reservations and jobs of its tenant, and what it has used', async () => {
    const wish = { liveTenantId: tenantId, jobs: [{ jobId: uuidv7(), hundredths: 100 }], pagesLimit: 1_000 };
    const read = await rowsRead((on) => new PageReservationStore(on).reserve(on, wish));
    const each = RESERVATIONS_EACH + 1;
    assert.ok((read['page_reservations'] ?? 0) <= 2 * each, JSON.stringify(read));
    assert.ok((read['jobs'] ?? 0) <= 2 * each, JSON.stringify(read));
    assert.ok((read['usage_entries'] ?? 0) <= each && (read['usage_totals'] ?? 0) <= 1, JSON.stringify(read));
  });

  it('telling what was used reads the total of the month and what is not in it yet', async () => {
    const read = await rowsRead((on) => new UsageStore(on).find(tenantId));
    assert.deepEqual([read['usage_entries'], read['usage_totals']], [RESERVATIONS_EACH, 1]);
  });

  it('letting go of reservations reads those that have ended, in the order in which they did', async () => {
    await kiln.sql(`update page_reservations set expires_at = now() - interval '1 second' where tenant_id = $1`, [
      tenantId,
    ]);
    const read = await rowsRead((on) => new PageReservationStore(on).sweep(10));
    assert.ok((read['page_reservations'] ?? 0) <= 60 && (read['jobs'] ?? 0) <= 60, JSON.stringify(read));
  });
});
