import type { Schemas } from '../core/operation-types.js';
import { waitUntil, type WaitOptions } from '../core/wait.js';
import { Jobs as GeneratedJobs } from '../generated/jobs.js';

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

export class Jobs extends GeneratedJobs {
  /** Waits until the job has completed, failed or been cancelled, and returns it. Throws KilnTimeoutError after `deadlineMs`. */
  waitFor(id: string, options: WaitOptions = {}): Promise<Schemas['JobDetail']> {
    return waitUntil(
      (wait, requestOptions) => this.get(id, { wait }, requestOptions),
      ({ status }) => ENDED.has(status),
      options,
    );
  }
}
