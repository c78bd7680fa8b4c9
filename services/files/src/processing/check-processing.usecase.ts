// Reconciles files in status processing with their jobs. Events keep a file in step with its job; this repairs the file when an
// event was lost, or when a service was restored from an old backup.
import { CodedError, encodeId, jobsOperations, internalContext, type JobsOutput } from '@kiln/contracts';
import type { Logger, RpcClient } from '@kiln/platform';
import { jobRequest } from '../files/file.events.js';
import type { ProcessingCheckStore, ProcessingFile } from './processing-check.store.js';

type JobState = JobsOutput<'checkJobs'>['states'][number];
type Repair = 'uploaded' | 'failed';

export interface CheckProcessingParts {
  checks: ProcessingCheckStore;
  rpc: Pick<RpcClient, 'call'>;
  logger: Logger;
  onRepaired: (status: Repair) => void;
  isStopping: () => boolean;
}

const PAUSE_SECONDS = 300;
/** An event takes less time to arrive, even if its consumer restarts. */
const AGE_SECONDS = 900;
const FILES_PER_PAGE = 200;
/** The next pass continues behind 100,000 files, so that a long queue does not keep the services busy. */
const PAGES_PER_PASS = 500;
const CALL_TIMEOUT_MS = 10_000;

export class CheckProcessing {
  constructor(
    private readonly parts: CheckProcessingParts,
    private readonly limits = { pauseSeconds: PAUSE_SECONDS, ageSeconds: AGE_SECONDS, pages: PAGES_PER_PASS },
  ) {}

  /** Runs one pass, which continues behind the last file of the pass before. Returns false when none is due. */
  async round(): Promise<boolean> {
    const { checks, isStopping } = this.parts;
    const { pauseSeconds, ageSeconds, pages } = this.limits;
    const claimed = await checks.claimPass(pauseSeconds);
    if (claimed === null) return false;
    let { after } = claimed;
    for (let page = 0; page < pages && !isStopping(); page++) {
      const files: ProcessingFile[] = await checks.page(ageSeconds, after, FILES_PER_PAGE);
      for (const tenantId of new Set(files.map((file) => file.tenant_id)))
        await this.checkOrSkip(
          tenantId,
          files.filter((file) => file.tenant_id === tenantId),
        );
      after = files.length < FILES_PER_PAGE ? null : (files.at(-1) ?? null);
      if (after === null) break;
    }
    await checks.endPass(after);
    return true;
  }

  /** One tenant's refused request must not prevent the check of the other tenants. */
  private async checkOrSkip(tenantId: string, files: ProcessingFile[]): Promise<void> {
    try {
      await this.checkTenant(tenantId, files);
    } catch (error) {
      if (error instanceof CodedError && error.retryable) throw error;
      this.parts.logger.warn({ err: error, tenantId }, 'Check of processing files failed for a tenant');
    }
  }

  private async checkTenant(tenantId: string, files: ProcessingFile[]): Promise<void> {
    const { rpc } = this.parts;
    const jobs = files.flatMap((file) => jobRequest(file) ?? []);
    const about = { tenantId, requestId: 'check-processing', timeoutMs: CALL_TIMEOUT_MS };
    const context = internalContext('files-worker', about);
    const { states } = await rpc.call(jobsOperations.checkJobs, { jobs }, context);
    const stateOf = new Map(states.map((state) => [state.job_id, state]));
    for (const file of files) await this.check(file, stateOf.get(encodeId('job', file.job_id ?? '')));
  }

  private async check(file: ProcessingFile, job: JobState | undefined): Promise<void> {
    const { checks, logger, onRepaired } = this.parts;
    if (job?.status === 'queued' || job?.status === 'processing') return;
    const status = job?.status === 'cancelled' ? 'uploaded' : 'failed';
    if (!(await checks.repair(file, status, job?.fence ?? null))) return;
    onRepaired(status);
    const about = { fileId: encodeId('file', file.id), tenantId: file.tenant_id, reason: reasonOf(job) };
    logger.warn({ ...about, status }, 'Repaired a file that was processing without a live job');
  }
}

const reasonOf = (job: JobState | undefined) =>
  job === undefined ? 'its job does not exist and cannot be made' : `its job is ${job.status}`;
