// What the steps of one run share.
import type { CallContext, JobError, OperationOutput, filesOperations, jobSteps } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import type { RunPolicy } from '../domain/run-policy.js';
import type { RunUsage } from '../domain/run-usage.js';
import type { RunTimeline } from '../domain/run-timeline.js';
import type { ClaimedJob } from '../store/job.rows.js';

type Begun = OperationOutput<(typeof filesOperations)['beginProcessing']>;

export interface RunContext {
  readonly job: ClaimedJob;
  /** What the files service said when the run began. */
  readonly file: Begun;
  /** What its organization has chosen. */
  readonly policy: RunPolicy;
  /** `file_id`, `job_id` and `fence`, as every call of this run states them. */
  readonly run: { file_id: string; job_id: string; fence: number };
  /** A folder of this run's own; removed when it ends. */
  readonly directory: string;
  /** Fires when the lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** A context for one call, with its own deadline. */
  callContext(timeoutMs: number): CallContext;
  /** What `report` has recorded of this run. */
  readonly timeline: RunTimeline;
  /** The run needs no sandbox any more: another job may begin. */
  leaveSandbox(): void;
  /** Where the job turns out to go, whatever was foreseen when it was made. Told with the next report. */
  routeTo(provider: ClaimedJob['provider']): void;
  /** A step begins: tells the job's owner how far it is (0..1), and who does the work where a provider does it. */
  report(step: (typeof jobSteps)[number], progress: number, provider?: string | null): Promise<void>;
  /** The provider at work failed and `provider` takes over the step: both stand in the timeline. */
  fallBack(provider: string, error: Pick<JobError, 'code' | 'message'>): Promise<void>;
  /** Whether the job was accepted under a plan that ends hard. */
  isLimited(): Promise<boolean>;
  /** Reserves these hundredths of pages for the job, all that it needs. Throws QuotaExceededError. */
  holdPages(hundredths: number): Promise<void>;
  /** Keeps what a step has used with the job. */
  recordUsage(part: RunUsage): Promise<void>;
}
