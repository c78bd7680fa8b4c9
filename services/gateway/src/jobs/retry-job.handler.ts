// POST /v1/jobs/:id/retry: reserves pages for the job again, then asks the jobs service.
import { jobsOperations } from '@kiln/contracts';
import { releasedIfRefused } from '../quota/quota.service.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

export async function retryJob(
  { params, caller, context }: Pick<RouteRequest<{ id: string }, object>, 'params' | 'caller' | 'context'>,
  { rpc, quota }: GatewayServices,
) {
  const reservation = await quota.admit(caller, [{ id: params.id }], context);
  return releasedIfRefused(reservation, rpc.call(jobsOperations.retryJob, params, context));
}
