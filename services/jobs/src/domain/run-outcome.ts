// What a run that did its work has found out about its file, and made of it.
import type { EventData, jobsEvents } from '@kiln/contracts';

type Completed = EventData<(typeof jobsEvents)['processingCompleted']>;

export interface RunOutcome {
  contentType: string | null;
  /** That read the file, or whose result of an earlier run was used. */
  provider: Completed['provider'];
  /** All that the file now has. */
  variants: Completed['variants'];
}
