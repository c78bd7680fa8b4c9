// Files of all tenants that have been processing for a long time, and the repair of a file whose job has ended.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { FileEntity } from '../files/file.entity.js';
import { FILE_COLUMNS, IN_SPACE, type FileRow } from '../files/file.rows.js';

export type ProcessingFile = FileRow & Pick<FileEntity, 'job_fence'>;

/** The last file of the page before. */
export type CheckPosition = Pick<FileRow, 'updated_at' | 'tenant_id' | 'id'>;

/** A claim: one process begins each pass. */
const claimPass = statement(
  'processing_checks.claim_pass',
  `update processing_checks set due_at = now() + make_interval(secs => $1) where due_at <= now()
   returning position_updated_at as updated_at, position_tenant_id as tenant_id, position_file_id as id`,
);
/** $1 to $3: the position, or nulls. */
const endPass = statement(
  'processing_checks.end_pass',
  'update processing_checks set position_updated_at = $1, position_tenant_id = $2, position_file_id = $3',
);
/** A keyset page of all tenants. It looks up the space file by file, because a join could lose the order of the index. */
const page = statement(
  'processing_checks.page',
  `select ${FILE_COLUMNS}, f.job_fence
   from files f cross join lateral (select s.name from spaces s where ${IN_SPACE} limit 1) s
   where f.status = 'processing' and f.updated_at < now() - make_interval(secs => $1)
     and (f.updated_at, f.tenant_id, f.id) > ($2::timestamptz, $3::uuid, $4::uuid)
   order by f.updated_at, f.tenant_id, f.id limit $5`,
);
/**
 * A fenced write: it changes the file only if no run has begun, and no caller has cancelled or retried its job, since the file
 * was read.
 */
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

@Injectable()
export class ProcessingCheckStore {
  constructor(private readonly database: Database) {}

  /** Returns where the pass begins, and schedules the next one in `pauseSeconds`. Returns null when none is due. */
  async claimPass(pauseSeconds: number): Promise<{ after: CheckPosition | null } | null> {
    const [claimed] = await this.database.query<CheckPosition | { updated_at: null }>(claimPass, [pauseSeconds]);
    if (!claimed) return null;
    return { after: claimed.updated_at === null ? null : claimed };
  }

  /** The next pass continues behind this file. Null: it begins with the oldest one. */
  async endPass(last: CheckPosition | null): Promise<void> {
    await this.database.query(endPass, [last?.updated_at, last?.tenant_id, last?.id]);
  }

  /** Files that have been processing unchanged for `ageSeconds`, oldest first. */
  page(ageSeconds: number, after: CheckPosition | null, limit: number): Promise<ProcessingFile[]> {
    const { updated_at, tenant_id, id } = after ?? BEGINNING;
    return this.database.query<ProcessingFile>(page, [ageSeconds, updated_at, tenant_id, id, limit]);
  }

  /**
   * Returns false when the file has changed since it was read. `fence` is the token of its job; the file refuses older runs from
   * then on.
   */
  async repair(file: ProcessingFile, status: 'uploaded' | 'failed', fence: number | null): Promise<boolean> {
    const { tenant_id, id, job_id, job_fence } = file;
    return (await this.database.query(repair, [tenant_id, id, job_id, job_fence, status, fence])).length > 0;
  }
}
