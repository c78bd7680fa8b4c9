// One run of one job, step by step. Expensive results are stored at once, so that a later run resumes after them. Small variants become
// visible together, when the run finishes.
import { encodeId } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { join } from 'node:path';
import type { RunQuota } from './run-quota.service.js';
import type { RunServices } from './run-services.adapter.js';
import type { RunOutcome } from './domain/run-outcome.js';
import type { RunPolicies } from '../organization/policies/run-policy.domain.js';
import type { JobStore } from '../jobs/job.store.js';
import { leaseKey } from '../leases/lease.store.js';
import type { ActiveRun } from '../worker/active-run.service.js';
import { allDone } from './domain/all-done.js';
import type { ProgressReports } from './progress-reports.service.js';
import { LocalCopy } from './local-copy.service.js';
import type { RunContext } from './run-context.port.js';
import { RunOutputs } from './run-outputs.service.js';
import { RunProgress } from './run-progress.service.js';
import { ScratchFolder } from './scratch-directory.adapter.js';
import type { EmbedStep } from './steps/embed.step.js';
import type { ExtractStep } from './steps/extract.step.js';
import type { IndexStep } from './steps/index.step.js';
import { addLayout } from './steps/layout.step.js';
import { addMetadata } from './steps/metadata.step.js';
import { routeFile } from './steps/route.step.js';
import type { ThumbnailStep } from './steps/thumbnail.step.js';
import type { TextMemory } from './text-memory.service.js';

export interface RunJobParts {
  jobs: Pick<JobStore, 'rename'>;
  services: RunServices;
  objects: ObjectStore;
  reports: ProgressReports;
  quota: RunQuota;
  policies: RunPolicies;
  extract: ExtractStep;
  thumbnails: ThumbnailStep;
  embed: EmbedStep;
  index: IndexStep;
  scratchDirectory: string;
  textMemory: TextMemory;
  logger: Logger;
}

type StartedRun = Pick<ActiveRun, 'job' | 'lease' | 'signal' | 'slot' | 'report' | 'labels'>;

/** Smaller texts are limited by the number of runs. */
const SMALL_BYTES_MAX = 1_048_576;

export class RunJob {
  constructor(private readonly parts: RunJobParts) {}

  /** Throws the cause of a failure. The caller decides what it means for the job. */
  async execute(run: StartedRun): Promise<RunOutcome> {
    const { textMemory, scratchDirectory } = this.parts;
    const scratch = new ScratchFolder(join(scratchDirectory, leaseKey(run.lease)));
    let releaseText = () => {};
    const holdText = async (bytes: number) => {
      if (bytes > SMALL_BYTES_MAX) releaseText = await textMemory.take(run.job.tenant_id, bytes, run.signal);
    };
    try {
      const context = await this.begin(run, scratch, holdText);
      return await this.runSteps(context);
    } finally {
      this.parts.reports.remove(run);
      releaseText();
      await scratch.remove();
    }
  }

  private async begin(run: StartedRun, scratch: ScratchFolder, holdText: RunContext['holdText']): Promise<RunContext> {
    const { jobs, services, objects, quota, policies, reports } = this.parts;
    const { job, lease, signal, slot } = run;
    const begun = await services.begin(job);
    run.labels = { external_id: begun.external_id, metadata: begun.metadata };
    if (begun.space !== job.space || begun.filename !== job.filename) {
      Object.assign(job, { space: begun.space, filename: begun.filename });
      await jobs.rename(job);
    }
    const source = begun.is_in_bucket ? await services.openSource(job) : null;
    const file = source ? { ...begun, content_type: source.content_type ?? begun.content_type } : begun;
    return {
      job,
      file,
      source,
      policy: policies.of(job.tenant_id),
      scratch,
      copy: new LocalCopy(scratch),
      signal,
      logger: this.parts.logger.child({ jobId: encodeId('job', job.id), tenantId: job.tenant_id }),
      outputs: new RunOutputs({ objects, services, job, signal, committed: file.variants }),
      progress: new RunProgress(run, file.content_type, reports),
      leaveSandbox: () => slot.leave(),
      holdText,
      holdPages: (hundredths) => (job.is_limited ? quota.hold(lease, hundredths) : Promise.resolve()),
    };
  }

  private async runSteps(context: RunContext): Promise<RunOutcome> {
    try {
      return await (context.outputs.needsText ? this.runAll(context) : this.showOnly(context));
    } catch (error) {
      if (!context.signal.aborted) await this.commitMade(context);
      throw error;
    } finally {
      await context.outputs.waitForStoring();
    }
  }

  private async runAll(context: RunContext): Promise<RunOutcome> {
    const { extract, thumbnails, embed, index } = this.parts;
    const { signal, progress, outputs } = context;
    const extracted = await extract.execute(context);
    signal.throwIfAborted();
    progress.begin('metadata', 0.5);
    await addMetadata(context, extracted);
    await addLayout(context, extracted);
    await thumbnails.execute(context, extracted.provider);
    await context.copy.remove();
    signal.throwIfAborted();
    const embeddings = await embed.execute(context, extracted);
    signal.throwIfAborted();
    progress.begin('index', 0.8);
    await allDone([index.execute(context, extracted, embeddings), outputs.stored()]);
    signal.throwIfAborted();
    return this.finish(context, extracted);
  }

  /** No text is read for a picture alone. */
  private async showOnly(context: RunContext): Promise<RunOutcome> {
    const provider = await routeFile(context);
    const sha256 = await this.parts.thumbnails.make(context, provider);
    context.signal.throwIfAborted();
    return this.finish(context, { provider, sha256 });
  }

  private async finish(
    { progress, outputs, job, file }: RunContext,
    { provider, sha256 }: { provider: RunOutcome['provider']; sha256: string | null },
  ): Promise<RunOutcome> {
    progress.begin('finish', 0.95);
    const variants = await this.parts.services.finish(job, { sha256, variants: [...outputs.uncommitted] });
    const { content_type: contentType, external_id, metadata } = file;
    return { contentType, provider, variants, labels: { external_id, metadata } };
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
