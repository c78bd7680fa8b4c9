// The fixture of the specs of retention: jobs that were created and ended days ago.
import type { Database } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { RetentionStore, type RetentionOptions } from '../retention/retention.store.js';
import type { JobsHarness } from './jobs-harness.js';

export const RETENTION_DAYS = 10;
const DAY_MS = 86_400_000;

interface PastJob {
  tenantId: string;
  fileId: string;
  /** Days ago, by which its id and its row are ordered. */
  created: number;
  /** Days ago. Null: it has not ended. */
  ended: number | null;
  status?: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  id?: string;
}

const INSERT = `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing, attempts, status, worker_id, lease_expires_at,
    run_started_at, created_at, completed_at)
  select $1, $2, $3, 'default', 'a.md', true, '{}', 1, $4, case $4 when 'processing' then 'w' end, case $4 when 'processing' then now() end,
    now(), now() - make_interval(secs => 86400 * $5::float8), now() - make_interval(secs => 86400 * $6::float8)`;
const LOG = `insert into job_attempts (tenant_id, job_id, attempt, status, started_at, ended_at) values ($1, $2, 1, 'failed', now(), now())`;

export function retentionOf(kiln: JobsHarness) {
  const storeOf = (options: Partial<RetentionOptions> = {}, database: Pick<Database, 'transaction'> = kiln.database) =>
    new RetentionStore(database, { days: RETENTION_DAYS, jobsPerBatch: 100, ...options });
  return {
    storeOf,
    /** Adds a job with an attempt. Returns its id. */
    add: async ({ tenantId, fileId, created, ended, status = 'completed', id }: PastJob): Promise<string> => {
      const jobId = id ?? uuidv7({ msecs: Date.now() - created * DAY_MS });
      await kiln.sql(INSERT, [tenantId, jobId, fileId, status, created, ended]);
      await kiln.sql(LOG, [tenantId, jobId]);
      return jobId;
    },
    /** Deletes until nothing more can be deleted at once. Returns how many jobs were deleted. */
    drain: async (store: RetentionStore = storeOf()): Promise<number> => {
      for (let deleted = 0; ;) {
        const batch = await store.deleteBatch();
        deleted += batch.deleted;
        if (!batch.hasMore) return deleted;
      }
    },
    jobs: async (): Promise<string[]> =>
      (await kiln.sql<{ id: string }>('select id from jobs order by id')).map(({ id }) => id),
    attempts: async (): Promise<string[]> =>
      (await kiln.sql<{ id: string }>('select job_id as id from job_attempts order by 1')).map(({ id }) => id),
    /** Puts the mark before all jobs of the spec. */
    rewind: () =>
      kiln.sql(
        `update job_retention set examined_until = now() - interval '60 days', tenant_id = default, job_id = default`,
      ),
  };
}
