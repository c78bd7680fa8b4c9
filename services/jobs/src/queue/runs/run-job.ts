// One run of one job, step by step. Expensive results are stored at once, so that a later run resumes after them. Small variants become
// visible together, when the run finishes.
import { encodeId } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { join } from 'node:path';
import type { RunQuota } from './run-quota.js';
import type { RunServices } from './run-services.adapter.js';
import type { RunOutcome } from './domain/run-outcome.js';
import type { RunPolicies } from '../../organization/policies/run-policy.js';
import { leaseKey } from '../leases/lease.store.js';
import type { ActiveRun } from '../worker/active-run.js';
import { allDone } from './all-done.js';
import type { ProgressReports } from './progress-reports.js';
import type { RunContext } from './run-context.js';
import { RunOutputs } from './run-outputs.js';
import { RunProgress } from './run-progress.js';
import { ScratchFolder } from './scratch-directory.js';
import type { EmbedStep } from './steps/embed.step.js';
import type { ExtractStep } from './steps/extract.step.js';
import type { IndexStep } from './steps/index.step.js';
import { addMetadata } from './steps/metadata.step.js';

export interface RunJobParts {
  services: RunServices;
  objects: ObjectStore;
  reports: ProgressReports;
  quota: RunQuota;
  policies: RunPolicies;
  extract: ExtractStep;
  embed: EmbedStep;
  index: IndexStep;
  scratchDirectory: string;
  logger: Logger;
}

type StartedRun = Pick<ActiveRun, 'job' | 'lease' | 'signal' | 'place' | 'report'>;

export class RunJob {
  constructor(private readonly parts: RunJobParts) {}

  /** Throws the cause of a failure. The caller decides what it means for the job. */
  async execute(run: StartedRun): Promise<RunOutcome> {
    const scratch = new ScratchFolder(join(this.parts.scratchDirectory, leaseKey(run.lease)));
    try {
      const context = await this.begin(run, scratch);
      return await this.runSteps(context);
    } finally {
      this.parts.reports.remove(run);
      await scratch.remove();
    }
  }

  private async begin(run: StartedRun, scratch: ScratchFolder): Promise<RunContext> {
    const { services, objects, quota, policies, reports } = this.parts;
    const { job, lease, signal, place } = run;
    const begun = await services.begin(job);
    const source = begun.is_in_bucket ? await services.openSource(job) : null;
    const file = source ? { ...begun, content_type: source.content_type ?? begun.content_type } : begun;
    return {
      job,
      file,
      source,
      policy: policies.of(job.tenant_id),
      scratch,
      signal,
      logger: this.parts.logger.child({ jobId: encodeId('job', job.id), tenantId: job.tenant_id }),
      outputs: new RunOutputs({ objects, services, job, signal, committed: file.variants }),
      progress: new RunProgress(run, file.content_type, reports),
      leaveSandbox: () => place.leave(),
      holdPages: (hundredths) => (job.is_limited ? quota.hold(lease, hundredths) : Promise.resolve()),
    };
  }

  private async runSteps(context: RunContext): Promise<RunOutcome> {
    try {
      return await this.runAll(context);
    } catch (error) {
      if (!context.signal.aborted) await this.commitMade(context);
      throw error;
    } finally {
      await context.outputs.waitForStoring();
    }
  }

  private async runAll(context: RunContext): Promise<RunOutcome> {
    const { extract, embed, index, services } = this.parts;
    const { signal, progress, outputs, job, file } = context;
    const extracted = await extract.execute(context);
    signal.throwIfAborted();
    progress.begin('metadata', 0.5);
    await addMetadata(context, extracted);
    const embeddings = await embed.execute(context, extracted);
    signal.throwIfAborted();
    progress.begin('index', 0.8);
    await allDone([index.execute(context, extracted, embeddings), outputs.commitObjects()]);
    signal.throwIfAborted();
    progress.begin('finish', 0.95);
    const end = { sha256: extracted.sha256, variants: [...outputs.uncommitted] };
    const variants = await services.finish(job, end);
    return { contentType: file.content_type, provider: extracted.provider, variants };
  }

  /** When a later step fails, the variants made so far stay with the file. */
  private async commitMade({ outputs, logger }: RunContext): Promise<void> {
    try {
      await outputs.commit();
    } catch (error) {
      logger.warn({ err: error }, 'Committing variants of a failed run failed');
    }
  }
}
