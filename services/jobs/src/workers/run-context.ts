// What the steps of one run share.
import type { CallContext, OperationOutput, filesOperations, jobSteps } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import type { JobRow } from '../store/job.rows.js';

type Begun = OperationOutput<(typeof filesOperations)['beginProcessing']>;

export interface RunContext {
  readonly job: JobRow;
  /** What the files service said when the run began. */
  readonly file: Begun;
  /** `file_id`, `job_id` and `fence`, as every call of this run states them. */
  readonly run: { file_id: string; job_id: string; fence: number };
  /** A folder of this run's own; removed when it ends. */
  readonly directory: string;
  /** Fires when the lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** A context for one call, with its own deadline. */
  callContext(timeoutMs: number): CallContext;
  /** Tells the job's owner how far it is; 0..1. */
  report(step: (typeof jobSteps)[number], progress: number): Promise<void>;
}
