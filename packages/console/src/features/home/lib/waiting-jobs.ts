export interface WaitingJobs {
  count: number;
  /** There are more than were counted. */
  isPart: boolean;
  /** When the oldest of the counted jobs was created. */
  oldestAt: string | null;
}

interface JobsPage {
  /** The newest first. */
  jobs: readonly { created_at: string }[];
  next_cursor: string | null;
}

export const waitingJobs = ({ jobs, next_cursor: next }: JobsPage): WaitingJobs => ({
  count: jobs.length,
  isPart: next !== null,
  oldestAt: jobs.at(-1)?.created_at ?? null,
});
