/** One run of a job, as the model counts jobs; the fence is what it proves its lease by. */
export interface Run {
  job: number;
  fence: number;
}

/** How long a lease lasts. */
export const LEASE_UNITS = 2;

/** What a run reports: another value than any other run of its job, and one that a float holds. */
export const progressOf = (run: Run) => run.fence / 1_024;
