// Files that have been processing for long, of all tenants, and the repair of one whose job is over.
import { statement, type Queryable } from '@kiln/platform';
import { FILE_COLUMNS, type FileRow } from './file.rows.js';

export interface ProcessingFile extends FileRow {
  job_fence: number;
}

/** Where the next page begins. */
export type CheckPosition = Pick<FileRow, 'updated_at' | 'tenant_id' | 'id'>;

const claimPass = statement(
  'processing_checks.claim_pass',
  `update processing_checks set next_pass_at = now() + make_interval(secs => $1) where next_pass_at <= now() returning 1`,
);
const page = statement(
  'processing_checks.page',
  `select ${FILE_COLUMNS}, job_fence from files
   where status = 'processing' and updated_at < now() - make_interval(secs => $1)
     and (updated_at, tenant_id, id) > ($2::timestamptz, $3::uuid, $4::uuid)
   order by updated_at, tenant_id, id limit $5`,
);
/** Nothing has happened to the file since it was read: no run has begun, and no caller has cancelled or retried its job. */
const repair = statement(
  'processing_checks.repair',
  `update files set status = $5, job_fence = coalesce($6, job_fence), updated_at = now()
   where tenant_id = $1 and id = $2 and job_id = $3 and job_fence = $4 and status = 'processing'
   returning 1`,
);

const BEGINNING: CheckPosition = {
  updated_at: new Date(0),
  tenant_id: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

export class ProcessingCheckStore {
  constructor(private readonly database: Queryable) {}

  /** Whether a pass is due; the next one is due in `pauseSeconds`. */
  async claimPass(pauseSeconds: number): Promise<boolean> {
    return (await this.database.query(claimPass, [pauseSeconds])).length > 0;
  }

  /** Files that have been processing unchanged for `ageSeconds`, oldest first. */
  page(ageSeconds: number, after: CheckPosition | null, limit: number): Promise<ProcessingFile[]> {
    const { updated_at, tenant_id, id } = after ?? BEGINNING;
    return this.database.query<ProcessingFile>(page, [ageSeconds, updated_at, tenant_id, id, limit]);
  }

  /** False when the file has changed since it was read. `fence`: that of its job, under which older runs are refused. */
  async repair(file: ProcessingFile, status: 'uploaded' | 'failed', fence: number | null): Promise<boolean> {
    const { tenant_id, id, job_id, job_fence } = file;
    return (await this.database.query(repair, [tenant_id, id, job_id, job_fence, status, fence])).length > 0;
  }
}
