// Asks the jobs service directly for the jobs of registered files, so that they can be read at once. The files service's events
// make them as well, only later: failing here costs nothing but that. What one turn of the event loop brings for a tenant is
// asked in one call, as the files service answers many at a time.
import {
  JOBS_PER_CALL_MAX,
  jobsOperations,
  type CallContext,
  type filesOperations,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { GroupedCalls, type Logger, type RpcClient } from '@kiln/platform';
import type { UploadFields } from './upload-fields.js';

const TIMEOUT_MS = 2_000;

type JobRequest = OperationInput<typeof jobsOperations.createJobs>['jobs'][number];

interface Announcement {
  job: JobRequest;
  context: CallContext;
}

export interface JobAnnouncerParts {
  rpc: Pick<RpcClient, 'call'>;
  logger: Pick<Logger, 'warn'>;
}

export class JobAnnouncer {
  private readonly calls: GroupedCalls<Announcement, void>;

  constructor(private readonly parts: JobAnnouncerParts) {
    this.calls = new GroupedCalls((_tenantId, group) => this.ask(group), {
      inFlightMax: Infinity, // Nobody waits for the calls of others.
      callsMax: JOBS_PER_CALL_MAX,
    });
  }

  /** Resolves once the jobs can be read, or have been left to their events. Null stands for a file that has no job. */
  async announce(requests: readonly (JobRequest | null)[], context: CallContext): Promise<void> {
    const jobs = requests.filter((request) => request !== null);
    await Promise.all(jobs.map((job) => this.calls.run(context.tenantId, { job, context })));
  }
  private async ask(group: Announcement[]): Promise<void[]> {
    const [first] = group;
    if (!first) return [];
    const { context } = first;
    try {
      const jobs = group.map(({ job }) => job);
      await this.parts.rpc.call(
        jobsOperations.createJobs,
        { jobs },
        { ...context, deadlineAt: Date.now() + TIMEOUT_MS },
      );
    } catch (error) {
      const about = { requestId: context.requestId, jobId: first.job.job_id, jobs: group.length };
      this.parts.logger.warn({ err: error, ...about }, 'jobs will be made by their events');
    }
    return group.map(() => undefined);
  }
}

/** What the jobs service is asked for a file that was registered with these fields; null when it is not to be processed. */
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
    ready,
    processing: { provider, embedding_model, chunking, variants },
  };
}
