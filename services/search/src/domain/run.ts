// Which run's index of a file stands. Runs of one job are ordered by their fence, and the jobs of a file by the number that the
// files service gave them: the newer job wins, also over a late write of an older job with a higher fence.

export interface Run {
  /** Lower-case uuid. */
  readonly jobId: string;
  /** The place of the job among the jobs of its file. */
  readonly jobNumber: number;
  readonly fence: number;
}

type RunOrder = Pick<Run, 'jobNumber' | 'fence'>;

/** No run comes after this one. */
export const HIGHEST_RUN: RunOrder = { jobNumber: Number.MAX_SAFE_INTEGER, fence: 0 };

/** Negative when `left` is the earlier run, 0 when both are the same. */
export const compareRuns = (left: RunOrder, right: RunOrder): number =>
  left.jobNumber - right.jobNumber || left.fence - right.fence;
