// Deletes superseded jobs in batches. It reads the jobs that have ended since the mark, which it moves in the transaction of the deletion.
import { type Database, type Transaction } from '@kiln/platform';
import { deleteRest } from '../jobs/delete-rest.statement.js';
import { deleteSuperseded, moveMark, takeMark } from './retention.statements.js';

export interface RetentionOptions {
  /** A job is deleted so many days after a newer job of its file has ended. */
  days: number;
  /** Limit on the jobs that a batch examines, and on those that it deletes. */
  jobsPerBatch: number;
}

export interface RetentionBatch {
  deleted: number;
  /** There may be more to delete at once. */
  hasMore: boolean;
}

interface Mark {
  time: Date;
  tenantId: string;
  jobId: string;
}

type TakenMark = Mark & { until: Date; isLast: boolean };

interface Examined {
  examined: number;
  superseded: number;
  lastTime: Date | null;
  lastTenantId: string | null;
  lastJobId: string | null;
  tenantIds: string[];
  jobIds: string[];
}

const WINDOW_SECONDS_MIN = 1;
const WINDOW_SECONDS_MAX = 86_400;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const NOTHING: RetentionBatch = { deleted: 0, hasMore: false };

export class RetentionStore {
  /**
   * The time that a batch reads. The index on the end of jobs finds their blocks but has no order, so the jobs of the whole window are read for each
   * batch. The window grows until a batch has as many jobs as it may examine.
   */
  private windowSeconds = WINDOW_SECONDS_MIN;

  constructor(
    private readonly database: Pick<Database, 'transaction'>,
    private readonly options: RetentionOptions,
  ) {}

  /** Examines one batch, unless another process is examining one. */
  deleteBatch(): Promise<RetentionBatch> {
    return this.database.transaction(async (transaction) => {
      const [mark] = await transaction.query<TakenMark & Record<string, unknown>>(takeMark, [
        this.options.days,
        this.windowSeconds,
      ]);
      return mark ? this.deleteAfter(transaction, mark) : NOTHING;
    });
  }

  private async deleteAfter(transaction: Transaction, mark: TakenMark): Promise<RetentionBatch> {
    const { jobsPerBatch } = this.options;
    const { time, tenantId, jobId, until, isLast } = mark;
    const values = [time, tenantId, jobId, until, jobsPerBatch, jobsPerBatch];
    const [row] = await transaction.query<Examined & Record<string, unknown>>(deleteSuperseded, values);
    if (!row) throw new Error('counts have a row');
    const deleted = row.jobIds.length;
    if (deleted > 0) await transaction.query(deleteRest, [row.tenantIds, row.jobIds]);
    // Jobs of these files remain: more than a batch may delete, or locked ones. The next batch examines the same jobs again.
    if (row.superseded === jobsPerBatch || deleted < row.superseded) return { deleted, hasMore: deleted > 0 };
    const isFull = row.examined === jobsPerBatch;
    const next = isFull ? lastOf(row) : { time: until, tenantId: BEFORE_ALL, jobId: BEFORE_ALL };
    await transaction.query(moveMark, [next.time, next.tenantId, next.jobId]);
    this.resize(isFull);
    return { deleted, hasMore: isFull || !isLast };
  }

  private resize(isFull: boolean): void {
    this.windowSeconds = isFull
      ? Math.max(WINDOW_SECONDS_MIN, this.windowSeconds / 2)
      : Math.min(WINDOW_SECONDS_MAX, this.windowSeconds * 2);
  }
}

function lastOf({ lastTime, lastTenantId, lastJobId }: Examined): Mark {
  if (lastTime === null || lastTenantId === null || lastJobId === null) throw new Error('a full batch has a last job');
  return { time: lastTime, tenantId: lastTenantId, jobId: lastJobId };
}
