// Fills the schema of the jobs service with one large tenant and many small ones. Most jobs of the large tenant have completed, and some wait. Jobs of the small
// tenants wait.
import { encodeId } from '@kiln/contracts';
import { ClaimStore } from '@kiln/jobs/claims/claim.store';
import { TenantQueueStore } from '@kiln/jobs/claims/tenant-queue.store';
import { entities } from '@kiln/jobs/entities';
import { JobEntity } from '@kiln/jobs/jobs/job.entity';
import { JobListStore } from '@kiln/jobs/jobs/job-list.store';
import { JobStore } from '@kiln/jobs/jobs/job.store';
import { ListJobs } from '@kiln/jobs/jobs/list-jobs.usecase';
import type { Client } from 'pg';
import { randomOf, type Operations, type System } from './compare.js';
import { fileId, idOf, idOfSmall, inSlices, LARGE_TENANT, smallTenant, tenantOf, type Size } from './generated-rows.js';
import { openSchema } from './open-schema.js';

const LANE = 'text';
const CLAIMED_AT_ONCE = 8;
/** Jobs that wait: of the large tenant, and at least of all small ones. */
const QUEUED = 20_000;
const QUEUED_OF_ALL = 5_000;

/** One job in a thousand has failed. */
const insertJobs = (tenant: string, id: string, status: string) => `
  insert into jobs (tenant_id, id, file_id, space, filename, lane, ready, processing, status, created_at, due_at, completed_at)
  select ${tenant}, ${id}, ${id}, 'main', 'report-' || n || '.md', '${LANE}', true, '{}', ${status},
    '2025-01-01'::timestamptz + n * interval '2 s', '2025-01-01'::timestamptz + n * interval '2 s', case when ${status} <> 'queued' then now() end`;

async function fill(client: Client, { files, smallTenants }: Size): Promise<void> {
  const ended = `case when n % 1000 = 7 then 'failed' else 'completed' end`;
  await inSlices(
    client,
    files,
    `${insertJobs(`'${LARGE_TENANT}'`, idOf('n'), ended)} from generate_series($1::int, $2::int) n`,
  );
  await client.query(
    `${insertJobs(`'${LARGE_TENANT}'`, idOf('n'), `'queued'`)} from generate_series($1::int, $1 + $2::int - 1) n`,
    [files + 1, QUEUED],
  );
  await inSlices(
    client,
    smallTenants,
    `${insertJobs(tenantOf('t'), idOfSmall('t', 'n'), `'queued'`)} from generate_series($1::int, $2::int) t, generate_series(1, ${Math.ceil(QUEUED_OF_ALL / smallTenants) + 1}) n`,
  );
}

export interface JobsSystem extends System {
  /** All jobs that wait are due in an hour, as after faults of a provider. */
  postpone(): Promise<void>;
  operationsWhilePostponed: Operations;
}

export async function openJobs(size: Size): Promise<JobsSystem> {
  const { client, database, close } = await openSchema('jobs', { lookUps: true, entities });
  await fill(client, size);
  const tenants = new TenantQueueStore(database);
  await tenants.restore();
  await client.query('vacuum analyze');
  const jobs = new JobStore(database, database.dataSource.getRepository(JobEntity));
  const lists = new ListJobs(new JobListStore(database));
  const claims = new ClaimStore(database, tenants, {
    workerId: 'bench',
    lane: LANE,
    leaseSeconds: 3_600,
    batchWaitSeconds: 600,
  });
  const contextOf = (tenantId: string) => {
    const principal = { tenantId, mode: 'live' as const, principal: 'bench', requestId: 'bench' };
    return { ...principal, deadlineAt: Date.now() + 60_000 };
  };
  const aSmallTenant = () => smallTenant(1 + randomOf(size.smallTenants));
  const claim = async (count: number) => {
    const { jobs: claimed } = await claims.claim(count);
    if (claimed.length < count) throw new Error(`${claimed.length} of ${count} jobs were claimed`);
  };
  const operations = {
    'list jobs': () => lists.execute({ limit: 50 }, contextOf(LARGE_TENANT)),
    'list failed jobs': () => lists.execute({ limit: 50, status: 'failed' }, contextOf(LARGE_TENANT)),
    'list jobs of a file': () =>
      lists.execute(
        { limit: 50, file_id: encodeId('file', fileId(1 + randomOf(size.files))) },
        contextOf(LARGE_TENANT),
      ),
    'list jobs, of a small tenant': () => lists.execute({ limit: 50 }, contextOf(aSmallTenant())),
    'get a job': () => jobs.get(LARGE_TENANT, fileId(1 + randomOf(size.files))),
    'find a job': () => jobs.states(LARGE_TENANT, [fileId(1 + randomOf(size.files))]),
    'next due time': () => claims.nextDueInMs([]),
    'claim of 1 job': () => claim(1),
    [`claim of ${CLAIMED_AT_ONCE} jobs`]: () => claim(CLAIMED_AT_ONCE),
  };
  const operationsWhilePostponed = {
    'claim while every tenant waits for a retry': () => claims.claim(CLAIMED_AT_ONCE),
    'next due time while they wait': () => claims.nextDueInMs([]),
  };
  const postpone = async () => {
    await client.query(`update jobs set due_at = now() + interval '1 hour' where status = 'queued'`);
    await client.query(
      `update waiting_tenants set due_at = now() + interval '1 hour', served_at = now() + interval '1 hour'`,
    );
    await client.query('vacuum analyze');
  };
  return { database, operations, operationsWhilePostponed, postpone, close };
}
