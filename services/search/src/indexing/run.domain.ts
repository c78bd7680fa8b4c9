// The order of the runs that may index a file: the latest run wins. Runs of one job are ordered by their fencing token, the jobs of a file
// by the number that the files service assigned. So a newer job wins even over a late write of an older job with a higher token.

export interface Run {
  /** A uuid in lower case. */
  readonly jobId: string;
  /** The position of the job among the jobs of its file. */
  readonly jobNumber: number;
  readonly fence: number;
}

export type RunOrder = Pick<Run, 'jobNumber' | 'fence'>;

/** No run is later than this one. */
export const HIGHEST_RUN: RunOrder = { jobNumber: Number.MAX_SAFE_INTEGER, fence: 0 };

const FENCE_MAX = 2_147_483_647;

/** Later than all runs of this job and of the jobs before it. */
export const afterJob = (jobNumber: number): RunOrder => ({ jobNumber, fence: FENCE_MAX });

/** Negative when `left` is the earlier run. 0 when both are the same run. */
export const compareRuns = (left: RunOrder, right: RunOrder): number =>
  left.jobNumber - right.jobNumber || left.fence - right.fence;
