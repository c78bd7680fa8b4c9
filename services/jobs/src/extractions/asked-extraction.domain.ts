// A request to an organization's own extractor, as the row of its job stores it.
import type { ExtractionProvider } from '@kiln/extraction';

export interface AskedExtraction {
  /** A uuid. A result names it, so one of an earlier request changes nothing. */
  id: string;
  provider: ExtractionProvider;
  /** ISO 8601. A later result is refused. */
  deadline_at: string;
  /** The extractor has answered that its result comes later. */
  accepted: boolean;
  /** Where the result is, once it has arrived. */
  result_key?: string;
}

/** Ends a run without a result: it comes by a callback, which makes the job due. */
export class ExtractionAwaited extends Error {
  override readonly name = 'ExtractionAwaited';

  /** Until the deadline of the result. */
  constructor(readonly delaySeconds: number) {
    super('the extractor reports later');
  }
}

export const secondsUntilDeadline = ({ deadline_at }: Pick<AskedExtraction, 'deadline_at'>, now: number): number =>
  Math.max(0, (Date.parse(deadline_at) - now) / 1_000);
