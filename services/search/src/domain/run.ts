// Which run's index of a file stands. Runs of one job are ordered by their fence. Runs of different jobs are ordered by
// job: job ids are UUIDv7, so the job made later wins, also over a late write of an earlier job with a higher fence.

export interface Run {
  /** Lower-case uuid. */
  readonly jobId: string;
  readonly fence: number;
}

/** No run comes after this one: no job can have the highest uuid. */
export const HIGHEST_RUN: Run = { jobId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', fence: 0 };

/** Negative when `left` is the earlier run, 0 when both are the same. */
export function compareRuns(left: Run, right: Run): number {
  if (left.jobId !== right.jobId) return left.jobId < right.jobId ? -1 : 1;
  return left.fence - right.fence;
}
