// One run of one job, step by step. Each step's result is committed on its own, so a later run resumes after the last one.
import { encodeId, filesOperations, modeOf, type CallContext } from '@kiln/contracts';
import type { Logger, RpcClient } from '@kiln/platform';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunOutcome } from '../domain/run-outcome.js';
import type { RunQuota } from '../adapters/run-quota.js';
import type { RunPolicies } from '../domain/run-policy.js';
import { RunTimeline } from '../domain/run-timeline.js';
import type { ClaimedJob } from '../store/job.rows.js';
import { leaseKey, type Lease, type LeaseStore } from '../store/lease.store.js';
import type { RunUsageStore } from '../store/run-usage.store.js';
import type { ActiveRun } from './active-run.js';
import type { RunContext } from './run-context.js';
import { EmbedStep } from './steps/embed.step.js';
import { ExtractStep } from './steps/extract.step.js';
import { IndexStep } from './steps/index.step.js';
import { MetadataStep } from './steps/metadata.step.js';

const CALL_TIMEOUT_MS = 5_000;
/** A connected bucket may have to be asked for the bytes. */
const BEGIN_TIMEOUT_MS = 12_000;

export interface RunJobParts {
  rpc: RpcClient;
  leases: LeaseStore;
  usage: RunUsageStore;
  quota: RunQuota;
  policies: RunPolicies;
  extract: ExtractStep;
  metadata: MetadataStep;
  embed: EmbedStep;
  index: IndexStep;
  scratchDirectory: string;
  logger: Logger;
}

export class RunJob {
  constructor(private readonly parts: RunJobParts) {}

  /** Throws what went wrong; the caller judges it. */
  async execute({
    job,
    lease,
    signal,
    place,
  }: Pick<ActiveRun, 'job' | 'lease' | 'signal' | 'place'>): Promise<RunOutcome> {
    const directory = join(this.parts.scratchDirectory, leaseKey(lease));
    await mkdir(directory, { recursive: true });
    try {
      const context = await this.begin(job, lease, directory, signal);
      return await this.runSteps({ ...context, leaveSandbox: () => place.leave() });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  private async begin(
    job: ClaimedJob,
    lease: Lease,
    directory: string,
    signal: AbortSignal,
  ): Promise<Omit<RunContext, 'leaveSandbox'>> {
    const run = { file_id: encodeId('file', job.file_id), job_id: encodeId('job', job.id), fence: job.fence };
    const callContext = (timeoutMs: number): CallContext => ({
      requestId: run.job_id,
      tenantId: job.tenant_id,
      mode: modeOf(job.tenant_id),
      principal: 'jobs-worker',
      deadlineAt: Date.now() + timeoutMs,
    });
    const policy = this.parts.policies.of(job.tenant_id);
    const file = await this.parts.rpc.call(filesOperations.beginProcessing, run, callContext(BEGIN_TIMEOUT_MS));
    const recordUsage: RunContext['recordUsage'] = (part) => this.parts.usage.record(lease, part, file.content_type);
    const isLimited = () => this.parts.quota.isLimited(lease);
    const holdPages = (hundredths: number) => this.parts.quota.hold(lease, hundredths);
    const logger = this.parts.logger.child({ jobId: run.job_id, tenantId: job.tenant_id });
    const common = {
      job,
      file,
      policy,
      run,
      directory,
      signal,
      logger,
      callContext,
      isLimited,
      holdPages,
      recordUsage,
    };
    return { ...common, ...this.reporting(job, lease, file.content_type) };
  }

  private reporting(
    job: ClaimedJob,
    lease: Lease,
    contentType: string | null,
  ): Pick<RunContext, 'timeline' | 'routeTo' | 'report' | 'fallBack'> {
    const timeline = new RunTimeline();
    let at = { step: 'extract', progress: 0 };
    let routedTo = job.provider;
    const write = () =>
      this.parts.leases.report(lease, { ...at, provider: routedTo, contentType, steps: timeline.steps });
    return {
      timeline,
      routeTo: (provider) => (routedTo = provider),
      report: (step, progress, provider = null) => {
        timeline.begin(step, provider);
        at = { step, progress };
        return write();
      },
      fallBack: (provider, error) => {
        timeline.fallBack(provider, error);
        return write();
      },
    };
  }

  private async runSteps(context: RunContext): Promise<RunOutcome> {
    const { extract, metadata, embed, index, rpc } = this.parts;
    const extracted = await extract.execute(context);
    context.signal.throwIfAborted();
    await context.report('metadata', 0.5);
    await metadata.execute(context, extracted);
    context.signal.throwIfAborted();
    await embed.execute(context, extracted);
    context.signal.throwIfAborted();
    await context.report('index', 0.8);
    await index.execute(context, extracted);
    context.signal.throwIfAborted();
    await context.report('finish', 0.95);
    const { variants } = await rpc.call(
      filesOperations.finishProcessing,
      { ...context.run, sha256: extracted.sha256 },
      context.callContext(CALL_TIMEOUT_MS),
    );
    return { contentType: context.file.content_type, provider: extracted.provider, variants };
  }
}
