// The error of a job whose pages do not fit within the hard limit of its plan.
export interface PageBalance {
  usedPages: number;
  /** Pages that other jobs have reserved. */
  reservedPages: number;
  neededPages: number;
  pagesLimit: number;
  /** `YYYY-MM-DD`, the first day of the next month, in UTC. */
  resetsOn: string;
}

const shown = (pages: number) => pages.toLocaleString('en');

export const balanceText = ({ usedPages, reservedPages, pagesLimit, resetsOn }: PageBalance): string =>
  `Of the plan's limit of ${shown(pagesLimit)} pages a month ${shown(usedPages)} are used and ${shown(reservedPages)} reserved for ` +
  `running jobs. The period resets on ${resetsOn} 00:00:00 UTC.`;

/** Ends the run of a job whose pages were counted. It may be retried once there is room. */
export class QuotaExceededError extends Error {
  readonly code = 'quota_exceeded';
  readonly retryable = true;

  constructor(balance: PageBalance) {
    super(
      `The file has ${shown(balance.neededPages)} pages. ${balanceText(balance)} Retry the job when there is room, or ask your ` +
        'operator for a larger plan.',
    );
  }
}
