// Real: Postgres, with as many rows as make a wrong plan slow. FAKED: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database, Queryable } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../../test/jobs-harness.js';
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
  beforeAll(async () => {
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
    const month = `date_trunc('month', now() at time zone 'utc')`;
    await kiln.sql(`insert into usage_entries select id, ${month}, gen_random_uuid(), n, 100 from ${rows}`, [tenants]);
    await kiln.sql(`insert into usage_totals select id, ${month}, 100 from unnest($1::uuid[]) as t (id)`, [tenants]);
    await kiln.sql('analyze page_reservations, jobs, usage_entries, usage_totals');
  });
  afterAll(() => kiln.close());

  /** Rows that the statement sent by `work` reads of each table; fails when it reads a table from end to end. */
  async function rowsRead(work: (on: Database) => Promise<unknown>): Promise<Record<string, number>> {
    const sent: { text: string; values: unknown[] | undefined }[] = [];
    const recorder: Queryable = {
      query: (statement, values) => {
        sent.push({ text: statement.text, values });
        return kiln.database.query(statement, values);
      },
    };
    await work(recorder as Database);
    expect(sent).toHaveLength(1);
    const [first] = sent;
    if (!first) throw new Error('no statement was sent');
    const explain = `explain (analyze, format json) ${first.text}`;
    const [row] = await kiln.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain, first.values);
    if (!row) throw new Error('no row');
    const read: Record<string, number> = {};
    for (const node of flatten(row['QUERY PLAN'][0].Plan)) {
      const table = node['Relation Name'];
      if (table === undefined || !TABLES.has(table) || node['Node Type'] === 'ModifyTable') continue;
      if (node['Node Type'] === 'Seq Scan') throw new Error(`the statement reads all of ${table}`);
      const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
      read[table] = (read[table] ?? 0) + rows;
    }
    return read;
  }

  it('reserving reads the reservations and jobs of its tenant, and its usage', async () => {
    const wish = { liveTenantId: tenantId, jobs: [{ jobId: uuidv7(), hundredths: 100 }], pagesLimit: 1_000 };
    const read = await rowsRead((on) => new PageReservationStore(on).reserve(on, wish));
    const each = RESERVATIONS_EACH + 1;
    expect(read['page_reservations'] ?? 0).toBeLessThanOrEqual(2 * each);
    expect(read['jobs'] ?? 0).toBeLessThanOrEqual(2 * each);
    expect(read['usage_entries'] ?? 0).toBeLessThanOrEqual(each);
    expect(read['usage_totals'] ?? 0).toBeLessThanOrEqual(1);
  });

  it('reading usage reads the total of the month and the entries that are not in it yet', async () => {
    const read = await rowsRead((on) => new UsageStore(on).find(tenantId));
    expect([read['usage_entries'], read['usage_totals']]).toStrictEqual([RESERVATIONS_EACH, 1]);
  });

  it('removing reservations reads the expired ones, in the order of their expiry', async () => {
    await kiln.sql(`update page_reservations set expires_at = now() - interval '1 second' where tenant_id = $1`, [
      tenantId,
    ]);
    const read = await rowsRead((on) => new PageReservationStore(on).sweep(10));
    expect(read['page_reservations'] ?? 0).toBeLessThanOrEqual(60);
    expect(read['jobs'] ?? 0).toBeLessThanOrEqual(60);
  });
});
