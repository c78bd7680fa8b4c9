/** One run of a job, by the number of the job in the model and its fencing token. */
export interface Run {
  job: number;
  fence: number;
}

/** How long a lease lasts. */
export const LEASE_UNITS = 2;

/** What a run reports: another value than any other run of its job, and one that a float holds. */
export const progressOf = (run: Run) => run.fence / 1_024;
