// POST /v1/jobs/cancel and /v1/jobs/retry: jobs named by their ids, or by a selection. Each job is changed as by a request for it alone, so one that
// cannot be changed does not affect the others.
import {
  asCodedError,
  CHANGED_MAX,
  decodeId,
  jobsOperations,
  notFound,
  type jobChangesBodySchema,
  type jobChangesSchema,
  type JobSelection,
  type JobsInput,
} from '@kiln/contracts';
import type { z } from 'zod';
import { mapAtATime } from '../limits/at-a-time.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { retryJob } from './retry-job.handler.js';

type ChangesRequest = RouteRequest<object, object, z.output<typeof jobChangesBodySchema>>;
type Changes = z.input<typeof jobChangesSchema>;
type Status = NonNullable<JobsInput<'listJobs'>['status']>;

const CALLS_AT_A_TIME = 8;

export function cancelJobs(request: ChangesRequest, services: GatewayServices): Promise<Changes> {
  const { context } = request;
  const cancel = (id: string) => services.rpc.call(jobsOperations.cancelJob, { id }, context);
  return changeJobs(request, ['processing', 'queued'], cancel, services);
}

export function retryJobs(request: ChangesRequest, services: GatewayServices): Promise<Changes> {
  const { caller, context } = request;
  const retry = (id: string) => retryJob({ params: { id }, caller, context }, services);
  return changeJobs(request, ['failed'], retry, services);
}

/** `statuses`: those of the jobs that a selection means. */
async function changeJobs(
  { body: { job_ids: given, selection }, context }: ChangesRequest,
  statuses: readonly Status[],
  change: (jobId: string) => Promise<unknown>,
  services: GatewayServices,
): Promise<Changes> {
  if (!selection) return changeAll([...new Set(given)], change);
  const { jobIds, more } = await selectJobs(selection, statuses, context, services);
  return { ...(await changeAll(jobIds, change)), more };
}

async function selectJobs(
  { since, ...conditions }: JobSelection,
  statuses: readonly Status[],
  context: ChangesRequest['context'],
  { rpc }: Pick<GatewayServices, 'rpc'>,
): Promise<{ jobIds: string[]; more: boolean }> {
  const jobIds: string[] = [];
  for (const status of statuses) {
    // One job more than is changed shows whether there are more.
    const limit = CHANGED_MAX + 1 - jobIds.length;
    const query = { ...conditions, ...(since && { since: since.toISOString() }), status, limit };
    if (limit > 0) jobIds.push(...(await rpc.call(jobsOperations.listJobs, query, context)).jobs.map(({ id }) => id));
  }
  return { jobIds: jobIds.slice(0, CHANGED_MAX), more: jobIds.length > CHANGED_MAX };
}

async function changeAll(
  jobIds: readonly string[],
  change: (jobId: string) => Promise<unknown>,
): Promise<Pick<Changes, 'changed' | 'errors'>> {
  const outcomes = await mapAtATime(CALLS_AT_A_TIME, jobIds, async (job_id) => {
    try {
      if (decodeId('job', job_id) === null) throw notFound('No job has this id.');
      await change(job_id);
      return null;
    } catch (error) {
      const { publicCode: code, message } = asCodedError(error);
      return { job_id, code, message };
    }
  });
  const errors = outcomes.filter((outcome) => outcome !== null);
  return { changed: jobIds.length - errors.length, errors };
}
