// GET /v1/jobs/:id, at once or when the job has ended.
import { jobsOperations, type JobsOutput } from '@kiln/contracts';
import { clientDisconnect } from '../http/client-disconnect.http.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

type JobRequest = Pick<RouteRequest<{ id: string }, { wait: number }>, 'params' | 'query' | 'context' | 'http'>;

export function getJob(
  { params, query, context, http }: JobRequest,
  { rpc, jobEnds }: Pick<GatewayServices, 'rpc' | 'jobEnds'>,
): Promise<JobsOutput<'getJob'>> {
  return jobEnds.stateOf({
    tenantId: context.tenantId,
    jobId: params.id,
    read: () => rpc.call(jobsOperations.getJob, params, context),
    isEnded: ({ status }) => ENDED.has(status),
    waitSeconds: query.wait,
    paceMs: 0,
    left: clientDisconnect(http),
  });
}
