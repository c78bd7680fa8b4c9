// The wake-ups of this service. They carry no content, and may be lost: a safety poll finds the work then.
import type { WakeUp } from '@kiln/platform';
import { laneOf, type Lane } from './claims/lane.domain.js';

/** Workers check which of their jobs they still hold. */
export const RUNS_ENDED_WAKE_UP = 'jobs.runs-ended';

/** Workers of the lane claim jobs. Any of them may take a job, so it is a hint of shared work. */
export const jobsWakeUp = (lane: Lane) => `jobs.${lane}`;

type ReadyJob = Parameters<typeof laneOf>[0] & { ready: boolean };

/** Jobs of these requests may be due now. */
export function wakeUpFor(wakeUp: Pick<WakeUp, 'sendShared'>, requests: readonly ReadyJob[]): void {
  const ready = requests.filter((request) => request.ready);
  for (const lane of new Set(ready.map(laneOf))) wakeUp.sendShared(jobsWakeUp(lane));
}
