/** One run of a job, by the number of the job in the model and its fencing token. */
export interface Run {
  job: number;
  fence: number;
}

/** How long a lease lasts. */
export const LEASE_UNITS = 2;

/** The progress that a run reports: unlike that of any other run of its job, and exact as a float. */
export const progressOf = (run: Run) => run.fence / 1_024;
