// Claims while another transaction keeps an old snapshot, as a backup or a report does: the entries of ended jobs stay in the indexes.
import type { Database } from '@kiln/platform';
import { ClaimPositions } from '@kiln/jobs/claims/claim-positions.domain';
import { ClaimStore } from '@kiln/jobs/claims/claim.store';
import { TenantQueueStore } from '@kiln/jobs/claims/tenant-queue.store';
import { entities } from '@kiln/jobs/entities';
import { jobCompleted } from '@kiln/jobs/jobs/job.events';
import { CompletionStore } from '@kiln/jobs/leases/completion.store';
import { blocksRead } from '@kiln/testing';
import { loadavg } from 'node:os';
import { tenantOf } from './generated-rows.js';
import { openSchema } from './open-schema.js';

const JOBS = 40_000;
const CLAIMED_AT_ONCE = 8;
const SHOWN_EVERY = 10_000;
const ROUNDS_MEASURED = 100;
const OUTCOME = {
  contentType: 'text/markdown',
  provider: 'document_extractor' as const,
  variants: [],
  labels: { external_id: null, metadata: {} },
};

/** Each job is due a hundredth of a second after the one before. */
const fill = (tenants: number) => `
  insert into jobs (tenant_id, id, file_id, space, filename, lane, ready, processing, due_at)
  select ${tenantOf(`n % ${tenants}`)}, gen_random_uuid(), gen_random_uuid(), 'main', 'a.md', 'text', true, '{}',
    now() - interval '1 hour' + n * interval '10 ms' from generate_series(1, ${JOBS}) n`;

interface Case {
  tenants: number;
  /** Another transaction keeps an old snapshot. */
  isHeld: boolean;
  /** As in a worker. Otherwise each claim begins at the start, as before. */
  hasPositions: boolean;
}

function claimsOf(database: Database, tenants: TenantQueueStore, hasPositions: boolean) {
  const claims = new ClaimStore(database, tenants, {
    workerId: 'bench',
    lane: 'text',
    leaseSeconds: 3_600,
    batchWaitSeconds: 600,
    ...(hasPositions && { positions: new ClaimPositions() }),
  });
  const completions = new CompletionStore(database);
  let ended = 0;
  /** Milliseconds of the claim. */
  const claimAndComplete = async () => {
    const startedAt = performance.now();
    const { jobs, drained } = await claims.claim(CLAIMED_AT_ONCE);
    const milliseconds = performance.now() - startedAt;
    const finished = jobs.map((job) => ({
      lease: { tenantId: job.tenant_id, jobId: job.id, fence: job.fence },
      event: jobCompleted(job, OUTCOME, 10),
    }));
    await completions.complete(finished);
    ended += jobs.length;
    if (jobs.length < CLAIMED_AT_ONCE) await claims.removeIdle(drained);
    return milliseconds;
  };
  return { claimAndComplete, endedCount: () => ended };
}

export async function measureLongSnapshot({ tenants, isHeld, hasPositions }: Case): Promise<void> {
  const { client, database, close } = await openSchema('jobs', { lookUps: true, entities });
  await client.query(fill(tenants));
  const queue = new TenantQueueStore(database);
  await queue.restore();
  await client.query('vacuum analyze');
  if (isHeld) await client.query('begin isolation level repeatable read; select 1 from jobs limit 1');
  const { claimAndComplete, endedCount } = claimsOf(database, queue, hasPositions);
  console.log(
    `${tenants} tenants, ${isHeld ? 'an old snapshot' : 'no old snapshot'}, ${hasPositions ? 'with' : 'without'} positions`,
  );
  for (let shown = 0; shown < JOBS; shown += SHOWN_EVERY) {
    while (endedCount() < shown) await claimAndComplete();
    const endedBefore = endedCount();
    let milliseconds = 0;
    const blocks = await blocksRead(database, async () => {
      for (let round = 0; round < ROUNDS_MEASURED; round++) milliseconds += await claimAndComplete();
    });
    const sum = (table: string) =>
      [...blocks].reduce((all, [source, read]) => (source.startsWith(table) ? all + read : all), 0);
    const claimed = endedCount() - endedBefore;
    const [jobs, waiting] = [sum('jobs') / ROUNDS_MEASURED, sum('waiting_tenants') / ROUNDS_MEASURED];
    console.log(
      `after ${endedBefore} ended jobs: ${(milliseconds / ROUNDS_MEASURED).toFixed(1)} ms a claim of ${CLAIMED_AT_ONCE}, ` +
        `${((claimed / milliseconds) * 1_000).toFixed(0)} jobs/s; with their end ${jobs.toFixed(0)} blocks of jobs, ` +
        `${waiting.toFixed(0)} of tenants; load ${loadavg()[0]?.toFixed(1)}`,
    );
  }
  await client.query('commit');
  await close();
}
