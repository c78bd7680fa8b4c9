// Creates the jobs of registered files by a direct call to the jobs service, so that they can be read at once. Events of the
// files service create them later as well, so a failure here is harmless. One call creates the jobs of the files of one tenant
// within one tick of the event loop.
import {
  JOBS_PER_CALL_MAX,
  jobsOperations,
  type CallContext,
  type filesOperations,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { currentTrace, GroupedCalls, type Logger, type RpcClient } from '@kiln/platform';
import type { UploadFields } from './upload-fields.domain.js';

const TIMEOUT_MS = 2_000;

type JobRequest = OperationInput<typeof jobsOperations.createJobs>['jobs'][number];

interface JobToCreate {
  job: JobRequest;
  context: CallContext;
}

export interface JobCreatorParts {
  rpc: Pick<RpcClient, 'call'>;
  logger: Pick<Logger, 'warn'>;
}

export class JobCreator {
  private readonly calls: GroupedCalls<JobToCreate, void>;

  constructor(private readonly parts: JobCreatorParts) {
    this.calls = new GroupedCalls((_tenantId, group) => this.ask(group), {
      inFlightMax: Infinity, // Calls do not wait for each other.
      callsMax: JOBS_PER_CALL_MAX,
    });
  }

  /** Resolves once the jobs can be read, or the call has failed and their events will create them. Null: a file without a job. */
  async create(requests: readonly (JobRequest | null)[], context: CallContext): Promise<void> {
    const traceparent = currentTrace()?.traceparent;
    const jobs = requests
      .filter((request) => request !== null)
      .map((request) => ({ ...request, ...(traceparent && { traceparent }) }));
    await Promise.all(jobs.map((job) => this.calls.run(context.tenantId, { job, context })));
  }

  private async ask(group: JobToCreate[]): Promise<void[]> {
    const [first] = group;
    if (!first) return [];
    const { context } = first;
    const jobs = group.map(({ job }) => job);
    const soon = { ...context, deadlineAt: Date.now() + TIMEOUT_MS };
    try {
      await this.parts.rpc.call(jobsOperations.createJobs, { jobs }, soon);
    } catch (error) {
      const about = { err: error, requestId: context.requestId, jobId: first.job.job_id, jobs: group.length };
      this.parts.logger.warn(about, 'Creating jobs by a direct call failed; their events will create them');
    }
    return group.map(() => undefined);
  }
}

/** The job of a file that was registered with these fields; null if the file is not to be processed. */
export function jobRequestOf(
  { provider, embedding_model, chunking, variants }: UploadFields,
  created: OperationOutput<typeof filesOperations.createFile>,
  { ready, batch_id = null }: { ready: boolean; batch_id?: string | null },
): JobRequest | null {
  if (created.job_id === null) return null;
  return {
    file_id: created.id,
    job_id: created.job_id,
    batch_id,
    space: created.space,
    filename: created.filename,
    content_type: created.content_type,
    size_bytes: created.size_bytes,
    ready,
    processing: { provider, embedding_model, chunking, variants },
  };
}
