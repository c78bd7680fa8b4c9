// The outcome of a run that did its work.
import type { EventData, FileLabels, jobsEvents } from '@kiln/contracts';

type Completed = EventData<(typeof jobsEvents)['processingCompleted']>;

export interface RunOutcome {
  contentType: string | null;
  /** The provider that read the file, in this run or an earlier one. */
  provider: Completed['provider'];
  /** All variants that the file now has. */
  variants: Completed['variants'];
  labels: FileLabels;
}
