// The context that the steps of one run share.
import type { BegunRunFile } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import type { OpenedSource } from './run-services.adapter.js';
import type { RunPolicy } from '../organization/policies/run-policy.domain.js';
import type { ClaimedJob } from '../jobs/job.rows.js';
import type { LocalCopy } from './local-copy.service.js';
import type { RunOutputs } from './run-outputs.service.js';
import type { RunProgress } from './run-progress.service.js';
import type { ScratchFolder } from './scratch-directory.adapter.js';

export interface RunContext {
  readonly job: ClaimedJob;
  /** As the files service returned it when the run began. */
  readonly file: BegunRunFile;
  /** Where the bytes are in an external bucket. Null: they are in Kiln's own storage. */
  readonly source: OpenedSource | null;
  /** The choices of the organization. */
  readonly policy: RunPolicy;
  /** A folder of this run on local disk. */
  readonly scratch: ScratchFolder;
  readonly copy: LocalCopy;
  /** Fires when the lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly outputs: RunOutputs;
  readonly progress: RunProgress;
  /** The run no longer needs a sandbox: another job may begin. */
  leaveSandbox(): void;
  /**
   * Waits until this worker has memory for a text of so many bytes (UTF-8), which the run then holds until it ends. Throws NoTextRoom when that
   * takes too long. Call it once.
   */
  holdText(bytes: number): Promise<void>;
  /** Changes the page reservation of the job to these hundredths, all that it needs. Throws QuotaExceededError. */
  holdPages(hundredths: number): Promise<void>;
}
