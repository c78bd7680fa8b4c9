// The cost of a claim with 1,000,000 queued jobs of 10,000 tenants, half of them of one tenant: times, and rows read by the plan.
import { ClaimStore } from '@kiln/jobs/claims/claim.store';
import { pickTenants, type TenantShare } from '@kiln/jobs/claims/pick-tenants.statement';
import { takeJobs } from '@kiln/jobs/claims/take-jobs.statement';
import { TenantQueueStore } from '@kiln/jobs/claims/tenant-queue.store';
import type { Database } from '@kiln/platform';
import { KilnEngine } from './kiln.engine.js';

const JOBS = 1_000_000;
const TENANTS = 10_000;
const ROUNDS = 200;
const LARGE = '00000000-0000-7000-8000-000000000001';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

async function fill(database: Database): Promise<void> {
  const sql = (text: string) => database.query({ name: '', text });
  const insert = (tenants: string, jobsEach: number) =>
    sql(`insert into jobs (tenant_id, id, file_id, space, filename, ready, processing)
         select tenant_id, gen_random_uuid(), gen_random_uuid(), 'default', 'a.md', true, '{}'
         from (${tenants}) tenants, generate_series(1, ${jobsEach})`);
  const share = JOBS / 2 / TENANTS;
  for (let tenants = 0; tenants < TENANTS; tenants += TENANTS / 20) {
    await insert(`select gen_random_uuid() as tenant_id from generate_series(1, ${TENANTS / 20})`, share);
    await insert(`select '${LARGE}'::uuid as tenant_id`, JOBS / 2 / 20);
  }
  await new TenantQueueStore(database).restore();
  await sql('analyze');
}

/** Rows of `jobs` read by the leaves of the plan. */
async function rowsRead(database: Database, jobsMax: number): Promise<{ rows: number; kinds: string[] }> {
  const picked = await database.query<TenantShare>(pickTenants, [jobsMax, 'sandbox', [], '-infinity', '-infinity']);
  const [tenantIds, shares] = [picked.map(({ tenant_id }) => tenant_id), picked.map(({ share }) => share)];
  const values = [tenantIds, shares, 'sandbox', 'bench', 20, 600, [], [], [], [], picked.map(({ row }) => row)];
  const text = `explain (analyze, format json) ${takeJobs.text}`;
  const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({ name: '', text }, values);
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  const leaves = row ? flatten(row['QUERY PLAN'][0].Plan) : [];
  const ofJobs = leaves.filter((node) => node['Relation Name'] === 'jobs' && !node.Plans);
  const read = (node: PlanNode) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return {
    rows: ofJobs.reduce((sum, node) => sum + read(node), 0),
    kinds: [...new Set(ofJobs.map((node) => node['Node Type']))],
  };
}

export async function measureMillion(): Promise<void> {
  const engine = await KilnEngine.start(1);
  const { database } = engine;
  await fill(database);
  const claims = new ClaimStore(database, new TenantQueueStore(database), {
    workerId: 'bench',
    lane: 'sandbox',
    leaseSeconds: 20,
    batchWaitSeconds: 600,
  });
  for (const jobsMax of [1, 6, 100]) {
    const times: number[] = [];
    for (let count = 0; count < ROUNDS; count++) {
      const startedAt = performance.now();
      const { jobs } = await claims.claim(jobsMax);
      times.push(performance.now() - startedAt);
      if (jobs.length !== jobsMax) throw new Error(`${jobs.length} of ${jobsMax} jobs were claimed`);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? Number.NaN).toFixed(1);
    const { rows, kinds } = await rowsRead(database, jobsMax);
    console.log(
      `${jobsMax} of ${JOBS} queued jobs of ${TENANTS} tenants: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${rows} rows read (${kinds.join(', ')})`,
    );
  }
  await engine.close();
}
